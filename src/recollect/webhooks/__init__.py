"""Webhooks: what happened is sent to addresses that an administrator has configured, signed, and tried again later.

No request names an address. A delivery goes to an address that was looked up and checked once, follows no redirect, and
is bounded in time and size. When it is tried again is left to a port.
"""
