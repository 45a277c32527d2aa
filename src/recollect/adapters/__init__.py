"""Adapters: memory as agent frameworks want it, each in a module that is loaded with its framework.

Their logic knows no framework, so it is tested without one; the frameworks themselves are tried in environments of
their own (`make test-frameworks`).
"""
