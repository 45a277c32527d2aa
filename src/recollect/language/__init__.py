"""The languages people write in, as data and the code that reads it: shared by those who remember and those who recall.

The domain knows no word of English; whatever does stands here. A second language is a second folder of data.
"""
