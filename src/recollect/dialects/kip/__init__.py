"""KIP 1.0-RC9, the Knowledge Interaction Protocol: a query language over concepts and propositions, on notes of ours.

A command is read (`lexer`, `parser`) into a tree (`syntax`), and the tree is asked of a graph (`nexus`): queries are
matched and projected, writes are planned as edits, and only a verb carries edits out.
"""
