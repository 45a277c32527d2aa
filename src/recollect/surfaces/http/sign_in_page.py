"""The page that a link leads to. Its script hands the secret in, which stands after `#` and so in no log and no history
of a server, and then takes it out of the address."""

from __future__ import annotations

import base64
import hashlib

_SCRIPT = """
const said = document.getElementById("said"), secret = location.hash.slice(1);
history.replaceState(null, "", location.pathname);
fetch("/v1/session", {method: "POST", headers: {Authorization: "Bearer " + secret}}).then(
  (answer) => {
    said.textContent = answer.ok ? "You are signed in." : "This link was used already, or is over.";
    if (answer.ok) location.replace("/ui/");
  },
  () => { said.textContent = "The server does not answer."; });
"""

PAGE = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Recollect</title></head>
<body><p id="said">Signing in.</p><noscript><p>This page needs its script.</p></noscript>
<script>{_SCRIPT}</script></body></html>
"""

_DIGEST = base64.b64encode(hashlib.sha256(_SCRIPT.encode()).digest()).decode("ascii")

HEADERS = {
    "Content-Security-Policy": (
        f"default-src 'none'; script-src 'sha256-{_DIGEST}'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
}
