"""Records the memory of networks for images from their own code, for the catalogue."""
