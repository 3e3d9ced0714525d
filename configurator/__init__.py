"""Offline configurator for AI workstations: memory per GPU, system checks, speed, quote."""

__version__ = "0.1.0"
PROGRAM = "ai-workstation-configurator"
"""Name of its folders among those of the user."""
