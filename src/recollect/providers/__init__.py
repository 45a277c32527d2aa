"""Language models on other machines: the vendors' own clients behind one port, metered by the spend ledger.

Nothing is sent anywhere until a provider is configured. The clients are extras and are loaded with the first call;
every address and key comes from the settings of this machine, never from a request.
"""
