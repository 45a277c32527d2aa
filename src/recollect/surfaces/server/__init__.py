"""The server process: the doors put together behind the reception, and answered until somebody says stop."""
