"""Reading what people write: files, and problems in them by file, line and key."""
