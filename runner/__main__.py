"""`python -m prt.runner`: the same as the command `prt`."""

from .cli import main

main()
