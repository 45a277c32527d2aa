"""How fast it is, in figures that can be made again: writing, searching, listing, starting.

Absolute figures belong to a machine and to what else it did. Where it can be done, a figure is therefore also
given as a ratio to another one that was taken in turns with it: in the same run, under the same noise.
"""
