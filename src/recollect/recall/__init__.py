"""A query comes in: understand -> gather -> fuse -> rerank -> pack. Reading never writes."""
