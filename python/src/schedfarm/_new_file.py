"""Files that are whole or absent, and never somebody else's."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import secrets
import stat

_MOST_LINKS = 40
_TELL_KINDS_APART = 4  # first bytes: of a picture, a page, a table


def write_file(path: str | os.PathLike[str], content: bytes) -> None:
    """Gives `path` this content, or leaves it as it was. A link there is followed where this user has made it in a folder that nobody else
    can write to, and refused elsewhere: whoever made it could have any file of this user's replaced. A file that begins otherwise than
    `content` is of something else, and is not replaced. OSErrors name `path`."""
    try:
        folder, name = _place(os.fspath(path))
        try:
            _remove_abandoned(folder, name)
            _expect_same_kind(folder, name, content)
            _replace(folder, name, content)
        finally:
            os.close(folder)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), os.fspath(path)) from error


def write_text(path: str, text: str) -> None:
    """As `write_file`; what is written to a device, or to a pipe of this user, goes on at once."""
    with contextlib.suppress(FileNotFoundError):
        there = os.stat(path)
        if stat.S_ISCHR(there.st_mode) or stat.S_ISFIFO(there.st_mode) and there.st_uid == os.geteuid():
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(text)
            return
    write_file(path, text.encode())


def _place(path: str) -> tuple[int, str]:
    """A folder, opened, and the name in it of what is no link."""
    for _ in range(_MOST_LINKS):
        head, name = os.path.split(path)
        folder = os.open(head or ".", os.O_RDONLY | os.O_DIRECTORY)
        try:
            there = os.stat(name or ".", dir_fd=folder, follow_symlinks=False)
            if not stat.S_ISLNK(there.st_mode):
                _expect_replaceable(there, folder, name)
                return folder, name
            _expect_trusted(there, os.fstat(folder))
            path = os.path.join(head, os.readlink(name, dir_fd=folder))
        except FileNotFoundError:
            return folder, name
        except OSError:
            os.close(folder)
            raise
        os.close(folder)
    raise OSError(40, "Too many levels of symbolic links")


def _expect_trusted(link: os.stat_result, folder: os.stat_result) -> None:
    private = not folder.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    if not (private and link.st_uid == folder.st_uid and link.st_uid in (os.geteuid(), 0)):
        raise PermissionError(1, "it is a link; only this user's own in a folder that nobody else can write to is followed")


def _expect_replaceable(there: os.stat_result, folder: int, name: str) -> None:
    if stat.S_ISDIR(there.st_mode):
        raise IsADirectoryError(21, "it is a folder, not a regular file")
    if not stat.S_ISREG(there.st_mode):
        raise PermissionError(1, "it is not a regular file")
    if not os.access(name, os.W_OK, dir_fd=folder, effective_ids=True):
        raise PermissionError(13, "Permission denied")


def _expect_same_kind(folder: int, name: str, content: bytes) -> None:
    with contextlib.suppress(FileNotFoundError):
        with os.fdopen(os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder), "rb") as there:
            begin = there.read(_TELL_KINDS_APART)
        if begin and begin != content[:_TELL_KINDS_APART]:
            raise FileExistsError(17, "it is a file of something else, which would be lost: name another file, or remove it")


def _replace(folder: int, name: str, content: bytes) -> None:
    temporary = f"{name}.{secrets.token_hex(8)}.tmp"
    try:
        with os.fdopen(os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666, dir_fd=folder), "wb") as file:
            with contextlib.suppress(OSError):  # a file system without locks, on which nobody removes it
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise


def _remove_abandoned(folder: int, name: str) -> None:
    """What killed processes of this user have left: nobody has it locked."""
    for entry in os.listdir(folder):
        if not re.fullmatch(re.escape(name) + r"\.[0-9a-f]{16}\.tmp", entry):
            continue
        with contextlib.suppress(OSError):  # it is not ours, or gone
            with os.fdopen(os.open(entry, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder), "rb+", buffering=0) as left:
                status = os.fstat(left.fileno())
                if stat.S_ISREG(status.st_mode) and status.st_nlink == 1 and status.st_uid == os.geteuid():
                    fcntl.flock(left, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    os.unlink(entry, dir_fd=folder)
