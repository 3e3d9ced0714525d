"""System checks, one file a subject."""
