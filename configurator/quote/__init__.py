"""The quote: price lines and VAT, the sheet as data, its rendering."""
