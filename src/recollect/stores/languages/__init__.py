"""The forms by which texts of other languages are found, as the store keeps them."""
