"""Files of the user: reading with one clear message, saving without harm."""
