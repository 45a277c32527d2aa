"""How much a filter costs: a page of a hundred thousand notes with one, beside the same page without."""
