"""Memory of networks for images and video."""
