"""Jobs in any SQL database: taken and looked at here, queued and settled by edits of `Changes`."""
