"""Language models as memory sees them: messages go in, a reply with its usage and price comes out."""
