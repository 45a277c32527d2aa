"""Filters: one grammar that says which notes are meant, the same at every door and on every database.

`grammar` reads a plain object into `conditions`; `builder` writes such objects in Python; `admission` asks one record;
`leaves` takes metadata apart. The stores turn conditions into SQL, and have to agree with `admission`.
"""
