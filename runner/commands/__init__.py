"""What each command does; `cli.py` parses for them."""
