"""Trust: how far a note's word goes against another's.

A caller's rank decides what a verb may change (`authority_table`), a contradiction from below waits as a proposal
(`disputes`), a file's word on its own origin is a claim (`claims`), and what is taken back leaves what was made from it
without support (`support`). What readers said of a note after using it is an opinion (`feedback`). All of it is pure.
"""
