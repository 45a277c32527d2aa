"""Memory that was kept elsewhere comes in: each source is read into the same few values, looked over, and written down
as lines of an export. Whatever it was worth there, here it is a quotation until somebody confirms it.
"""
