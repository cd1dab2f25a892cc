"""The tests. They mirror the tree; nothing outside this folder imports from it."""
