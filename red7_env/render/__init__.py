"""Pictures of the table; nothing in ``game`` knows of them."""
