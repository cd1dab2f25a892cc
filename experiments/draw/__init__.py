"""Pictures and films of games by command; ``red7_env.render`` draws them."""
