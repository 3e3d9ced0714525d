"""Other estimators on the same measured runs: one module each, none of them needed by the program."""
