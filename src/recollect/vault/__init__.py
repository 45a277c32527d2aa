"""The same memory as files: notes as markdown in a folder, both ways, and in step across machines.

A note becomes a document and back; documents are merged field by field, three ways, by a function that cannot fail;
a plan says what to write and what was edited outside. Git is used as a store of objects and never as a workspace.
"""
