"""The port to what a store has counted on each day."""
