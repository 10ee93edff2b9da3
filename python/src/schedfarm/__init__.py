"""Reads, draws and reports the results of schedfarm.

>>> import schedfarm
>>> with schedfarm.open("first.h5") as results:
...     print(results)                                      # name, cells, replications, what is provisional
...     rows = results.estimates(metric="response_time", policy="fcfs")
<schedfarm results 'FCFS against FPFS' in first.h5
 6 cells of policy (2) × load.utilization (3), ... replications, payload ...>

Figures are in `schedfarm.plot`, the page of HTML in `schedfarm.page`.
"""

from ._many import ManyResults, open_many
from ._many import open_results as open
from ._run import run
from ._version import __version__
from .errors import FileError, MissingPackage, RequestError, SchedfarmError
from .results import Results

__all__ = [
    "FileError",
    "ManyResults",
    "MissingPackage",
    "RequestError",
    "Results",
    "SchedfarmError",
    "__version__",
    "open",
    "open_many",
    "run",
]
