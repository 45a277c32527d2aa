"""Jobs in any SQL database, and the two that follow them: deliveries of webhooks and conversations."""
