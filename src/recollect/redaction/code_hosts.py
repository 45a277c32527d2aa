"""Tokens of code hosts, package registries, and what builds, checks and ships code."""

from __future__ import annotations

from recollect.redaction.rules import (
    ALNUM,
    ANYHEX,
    BASE64,
    END,
    HEX,
    LOWER,
    SAFE,
    UPPER,
    UUID,
    WORD,
    SecretRule,
    anywhere,
    prefixed,
    shaped,
)
from recollect.redaction.values import has_digit

# Routable tokens carry a checksum after a dot.
_GITLAB = "glpat gloas gldt glrt glrtr glcbt glptt glft glimt glagent glwt glsoat glffct"

HOSTS = (
    prefixed("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", WORD, "36,"),
    prefixed("github-token", "github_pat_", WORD, "40,"),
    prefixed("github-token", "v1.", HEX, "40", entropy=3.0),
    shaped(
        "gitlab-token",
        " ".join(f"{name}-" for name in _GITLAB.split()),
        rf"(?:{'|'.join(_GITLAB.split())})-[A-Za-z0-9_-]{{20,}}+(?:\.[0-9a-z.]{{9,14}}+)?",
    ),
    prefixed("gitlab-runner-token", "GR1348941", SAFE, "20,"),
    anywhere("gitlab-session", ("_gitlab_session=",), "_gitlab_session=([0-9a-z]{32,}+)"),
    prefixed("bitbucket-token", "ATBB", ALNUM, "24,40", entropy=3.0),
    prefixed("bitbucket-token", "ATCTT3", SAFE + "=", "40,"),
)

REGISTRIES = (
    prefixed("npm-token", "npm_", ALNUM, "36,"),
    # What a registry other than npm's own gives out has no sign but the name of the setting.
    anywhere(
        "npm-token",
        ("_authtoken", "npmauthtoken"),
        r"(?i:_authToken|npmAuthToken)\"?[ \t]{0,4}[=:][ \t]{0,4}[\"']?([A-Za-z0-9_+/.=-]{16,}+)",
        check=has_digit,
    ),
    anywhere(
        "npm-token", (":_auth", ":_password"), r":_(?:auth|password)[ \t]{0,4}=[ \t]{0,4}[\"']?([A-Za-z0-9+/=_-]{8,}+)"
    ),
    prefixed("pypi-token", "pypi-", SAFE, "50,"),
    prefixed("rubygems-key", "rubygems_", HEX, "48"),
    prefixed("docker-token", "dckr_pat_ dckr_oat_", SAFE, "24,"),
    prefixed("crates-token", "cio", ALNUM, "32", entropy=3.0, check=has_digit),
    prefixed("nuget-key", "oy2", LOWER, "43", entropy=3.0),
    prefixed("clojars-token", "CLOJARS_", ALNUM, "60"),
    prefixed(
        "packagist-token", "packagist_uut_ packagist_oat_ packagist_out_ packagist_ort_ packagist_ack_", HEX, "40,"
    ),
    prefixed("artifactory-key", "AKCp", ALNUM, "60,"),
    prefixed("artifactory-token", "cmVmdGtuOj", BASE64, "40,"),
    prefixed("jsr-token", "jsrp_ jsrd_", ALNUM, "32,"),
)

PIPELINES = (
    prefixed("circleci-token", "CCIPAT_ CCIPRJ_", WORD, "40,"),
    prefixed("buildkite-token", "bkua_ bkaj_ bkat_ bkct_ bkpt_ bkpi_", ALNUM, "32,"),
    prefixed("sonar-token", "squ_ sqp_ sqa_", HEX, "40"),
    shaped("sourcegraph-token", "sgp_", rf"sgp_(?:(?:[0-9a-fA-F]{{16}}|local)_)?[0-9a-fA-F]{{40}}{END}"),
    prefixed("sourcegraph-token", "slk_ sgd_ sgs_", HEX, "64"),
    shaped("snyk-token", "snyk_", r"snyk_(?:uat|sat)\.[a-z0-9]{8}\.[A-Za-z0-9_.-]{40,}+"),
    prefixed("socket-token", "sktsec_", SAFE, "30,"),
    shaped("launchdarkly-key", "sdk- mob- api-", rf"(?:sdk|mob|api)-{UUID}{END}"),
    shaped(
        "harness-token", "pat. sat.", rf"(?:pat|sat)\.[A-Za-z0-9_-]{{22}}\.[A-Za-z0-9]{{24}}\.[A-Za-z0-9]{{20}}{END}"
    ),
    prefixed("octopus-key", "API-", UPPER, "25,32", entropy=3.0, check=has_digit),
    prefixed("infracost-key", "ico-", ALNUM, "32"),
    prefixed("prefect-key", "pnu_ pnb_", ALNUM, "36"),
    prefixed("postman-key", "PMAK-", ANYHEX + "-", "59"),
    prefixed("postman-token", "PMAT-", UPPER, "26"),
    prefixed("readme-key", "rdme_", LOWER, "60,"),
    prefixed("figma-token", "figd_ figo_ figor_ figoh_", SAFE, "40,"),
    prefixed("intra42-secret", "s-s4t2ud- s-s4t2af-", ANYHEX, "64"),
    prefixed("settlemint-token", "sm_aat_ sm_pat_ sm_sat_", ALNUM, "16,"),
    prefixed("depot-token", "depot_org_ depot_project_ depot_user_", ALNUM + "_", "40,"),
    prefixed("chromatic-token", "chpt_", LOWER, "15,20", check=has_digit),
    prefixed("percy-token", "web_ app_ ss_ auto_", HEX, "64"),
)

RULES: tuple[SecretRule, ...] = (*HOSTS, *REGISTRIES, *PIPELINES)
