"""The documentation site: its pages in `pages/`, and what is written into them from the code when it is built."""
