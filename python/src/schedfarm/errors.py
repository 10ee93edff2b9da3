"""What the package raises: the problem, why it is one, and what to do."""


class SchedfarmError(Exception):
    """Base of everything that the package raises on purpose."""


class FileError(SchedfarmError, ValueError):
    """The file is no result file, or not one of a version that this package reads."""


class RequestError(SchedfarmError, LookupError):
    """What was asked for is not in the file, or not one thing."""


class MissingPackage(SchedfarmError, ImportError):
    """A Python package or a program that only this call needs is not installed."""


def one_of(kind: str, name: str, known: "list[str]", where: str = "The file has") -> RequestError:
    """The error for a name that is not there, with the names that are."""
    return RequestError(f"no {kind} '{name}'. {where}: {', '.join(known) or 'none'}")
