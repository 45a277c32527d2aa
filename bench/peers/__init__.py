"""Other memories and stores, told and asked the same with the same vectors, each in an environment of its own."""
