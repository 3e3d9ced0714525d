"""Reads `catalogs/`: models, parts, frameworks, their ids and aliases."""
