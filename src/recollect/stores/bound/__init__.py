"""A store that is bound to a part of each space: a user, an agent, a project.

What is read comes from views that stand before the tables under the same names, so no statement can forget the
condition, and a table without a rule is empty. What is written is compared edit by edit, in the transaction that
writes.
"""
