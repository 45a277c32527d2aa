"""The dashboard, driven in a real browser. A package, so that the browser is gone before other tests begin."""
