"""Offline configurator for AI workstations: memory per GPU, system checks, speed, quote."""

__version__ = "0.1.0"
