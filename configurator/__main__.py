"""`python -m configurator` is the same program as `configurator`."""

from configurator.cli import main

main()
