"""What agents that have learned share: files of weights, networks, and the models that come with the project.

Importing this package loads neither PyTorch nor safetensors; its modules do.
"""
