"""Reads, draws and reports the results of schedfarm, and runs policies of your own.

>>> import schedfarm
>>> with schedfarm.open("first.h5") as results:
...     print(results)                                      # name, cells, replications, what is provisional
...     rows = results.estimates(metric="response_time", policy="fcfs")
<schedfarm results 'FCFS against FPFS' in first.h5
 6 cells of policy (2) × load.utilization (3), ... replications, payload ...>

Figures are in `schedfarm.plot`, the page of HTML in `schedfarm.page`, policies of your own in `schedfarm.policy`.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ._version import __version__
from .errors import FileError, MissingPackage, RequestError, SchedfarmError

if TYPE_CHECKING:
    from ._many import ManyResults, open_many
    from ._many import open_results as open
    from ._run import run
    from .policy import Policy, serve
    from .policy._farm import campaign, plan, simulate
    from .policy._farm import listed as list
    from .results import Results

# What needs pandas, which costs more than a report: imported when it is first asked for.
_LATER = {"ManyResults": ("_many", "ManyResults"), "open_many": ("_many", "open_many"), "open": ("_many", "open_results"),
          "run": ("_run", "run"), "Results": ("results", "Results"),
          "Policy": ("policy", "Policy"), "serve": ("policy", "serve"), "simulate": ("policy._farm", "simulate"),
          "campaign": ("policy._farm", "campaign"), "plan": ("policy._farm", "plan"), "list": ("policy._farm", "listed")}

__all__ = [
    "FileError",
    "ManyResults",
    "MissingPackage",
    "Policy",
    "RequestError",
    "Results",
    "SchedfarmError",
    "__version__",
    "campaign",
    "list",
    "open",
    "open_many",
    "plan",
    "run",
    "serve",
    "simulate",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _LATER[name]
    value = globals()[name] = getattr(importlib.import_module(f".{module}", __name__), attribute)
    return value


def __dir__() -> Iterable[str]:
    return sorted({*globals(), *__all__})
