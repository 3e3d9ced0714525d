"""How fast it runs: tokens, images and steps a second, hours, as ranges."""
