"""The memory engine: blocks of a model, a framework's behaviour, a plan -> the ledger of every device."""
