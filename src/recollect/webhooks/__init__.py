"""Webhooks: changes are sent to addresses that an administrator has named, signed, in their order, by jobs.

No request of anybody else names an address. A delivery goes to an address that was looked up and checked once, follows
no redirect, and is bounded in time and size. Pauses, tries and dead letters are those of jobs.
"""
