"""A model made ready for the runtime, so that a new process has it in a third of the time.

The runtime rewrites a model whenever it loads it, putting together what belongs together, and copies its weights. What
it made is kept beside the model it was made from, and mapped into memory the next time. It gives the same vectors, bit
by bit. It is a cache: its name says of which runtime, machine and file it is, and one that cannot be read is made anew.
"""

from __future__ import annotations

import hashlib
import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from recollect.disk import OWN

MODEL = "model.onnx"
_READY = "ready-{}.ort"


def session_of(folder: Path, *, keeps: bool) -> Any:
    """A session that runs the model of a folder. `keeps` says whether what is made for it may be kept in there."""
    # First: onnxruntime imports inner parts of numpy before numpy itself, which two threads at once break for good.
    import numpy  # noqa: F401
    import onnxruntime

    ready = _ready(folder, onnxruntime.__version__) if keeps and os.name != "nt" else None
    if ready is not None and ready.is_file():
        with suppress(Exception):  # whatever is wrong with it, the model itself is there
            return _session(ready, _mapped(_options()))
    if ready is None or not os.access(folder, os.W_OK):
        return _session(folder / MODEL, _options())
    return _made(folder, ready)


def drop_ready(folder: Path) -> None:
    """Take away what was made of the model in a folder."""
    for made in folder.glob(_READY.format("*")):
        with suppress(OSError):
            made.unlink()


def _made(folder: Path, ready: Path) -> Any:
    """A session of the model itself, which leaves for the next process what was made for it."""
    import onnxruntime

    draft = folder / f".{ready.name}.{os.getpid()}-{threading.get_ident()}.draft"
    options = _options()
    # One step below what the runtime would do by itself: the last one is for the processor it happens to run on.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(draft)
    options.add_session_config_entry("session.save_model_format", "ORT")
    try:
        session = _session(folder / MODEL, options)
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        draft.chmod(OWN)
        drop_ready(folder)  # of other runtimes, and of a model that was here before
        draft.replace(ready)
        return session
    except Exception:  # the disk is full, say; whatever it is, the model can be run without
        return _session(folder / MODEL, _options())
    finally:
        with suppress(OSError):
            draft.unlink()


def _session(path: Path, options: Any) -> Any:
    import onnxruntime

    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _options() -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # a short text gains nothing from a second thread
    options.enable_cpu_mem_arena = False  # it never gives memory back
    options.log_severity_level = 3
    return options


def _mapped(options: Any) -> Any:
    import onnxruntime

    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL  # that was done
    options.add_session_config_entry("session.use_memory_mapped_ort_model", "1")
    options.add_session_config_entry("session.use_ort_model_bytes_for_initializers", "1")
    return options


def _ready(folder: Path, runtime: str) -> Path | None:
    """Where what was made of a model is kept; `None` if there is no model."""
    import platform

    try:
        of = (folder / MODEL).stat()
    except OSError:
        return None
    told = f"{runtime}\n{platform.machine()}\n{of.st_size}\n{of.st_mtime_ns}"
    return folder / _READY.format(hashlib.sha256(told.encode()).hexdigest()[:16])
