"""python3 -m schedfarm.policy FILE CLASS [STATE]: serves a class of a file, with the state of an object where there is some."""

from __future__ import annotations

import importlib.util
import pickle
import sys
from typing import Any

from ._serve import serve


def main() -> None:
    file, name = sys.argv[1:3]
    spec = importlib.util.spec_from_file_location("its_policy", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["its_policy"] = module
    spec.loader.exec_module(module)
    kind = getattr(module, name)
    if len(sys.argv) < 4:
        serve(kind)
        return
    with open(sys.argv[3], "rb") as state:
        stored = state.read()

    def make() -> Any:
        policy = kind.__new__(kind)
        policy.__dict__.update(pickle.loads(stored))
        return policy

    serve(make)


main()
