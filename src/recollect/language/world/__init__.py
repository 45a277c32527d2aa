"""Words of any language: how they are folded, cut and stemmed, and in which language a text is."""
