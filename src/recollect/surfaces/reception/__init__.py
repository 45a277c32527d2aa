"""Reception: what stands before every door of the server. It decides who may come in before a body is read."""
