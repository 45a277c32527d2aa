"""The catalogue of verbs as every door needs it: parameters, routes and rights. It stands under all doors."""
