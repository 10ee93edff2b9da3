"""The commands that the program leaves to Python.

Also run as a file, by a python that need not know the package or have what it needs: then by Debian's own python, which has its
packages, where that is another one; else a message says what is missing.
"""

import io
import os
import signal
import sys

DEBIAN = "/usr/bin/python3"
PACKAGES = {"h5py": "python3-h5py", "pandas": "python3-pandas", "numpy": "python3-numpy", "matplotlib": "python3-matplotlib",
            "jinja2": "python3-jinja2"}


def main() -> int:
    if not __package__:  # the folder of this file has modules with names of others
        sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    try:
        from schedfarm import _command
        return _command.main(sys.argv[1:])
    except ModuleNotFoundError as error:
        missing = str(error.name).split(".")[0]
        if os.path.exists(DEBIAN) and os.path.realpath(sys.executable) != os.path.realpath(DEBIAN):
            os.execv(DEBIAN, [DEBIAN, os.path.abspath(__file__), *sys.argv[1:]])
        package = PACKAGES.get(missing, missing)
        if sys.argv[1] == "report" and not any(word != "--format=text" and word.startswith(("--format", "--json", "--table")) for word in sys.argv):
            print(f"schedfarm: the whole report needs the Python package {missing}; one table of it follows. Install {package}, as by "
                  "`apt-get install python3-numpy python3-h5py`", file=sys.stderr)
            os.execv(os.environ["SCHEDFARM_PROGRAM"], ["schedfarm", "report", "--plain", "--", sys.argv[-1]])
        print(f"schedfarm: error: tables and figures need the Python package {missing} ({sys.executable} has none). "
              f"Install {package}, as by `apt-get install {package}`, or name another python in SCHEDFARM_PYTHON", file=sys.stderr)
        return 2


def was_stopped(error: BaseException | None) -> bool:
    """By a signal, also where it came out of the midst of an import as that import's failure."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def reason(error: BaseException) -> str:
    """Why a command ends that nothing has caught: the machine, or a fault of ours, with its place."""
    if isinstance(error, (MemoryError, SystemError)):  # SystemError: the interpreter itself had no memory to say so
        return "out of memory. Allow the program more, or let fewer run at once"
    if isinstance(error, (OSError, ImportError)):
        return f"{error}"
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = f", {os.path.basename(place.tb_frame.f_code.co_filename)}:{place.tb_lineno}" if place is not None else ""
    return f"internal error ({type(error).__name__}: {error}{where}). This is a fault of schedfarm: report it with the whole command"


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # who reads no more ends what writes, as elsewhere
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    try:
        code = main()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code)  # what numpy and HDF5 put in order at the end takes a tenth of the time of a report
    except BaseException as error:
        if isinstance(error, SystemExit):
            raise
        stopped = was_stopped(error)
        print("schedfarm: stopped by a signal" if stopped else f"schedfarm: critical: {reason(error)}", file=sys.stderr, flush=True)
        os._exit(130 if stopped else 4)
