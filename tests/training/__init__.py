"""How examples are made for the models that learn."""
