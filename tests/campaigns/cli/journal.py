"""A second reader of journals, written after the description of the format and nothing else."""
import struct


def records(path):
    """The records after the header, in order: ("intent", id), ("result", id, status) or
    ("suspects", {id: (deaths, blames)}); a torn tail is left out."""
    data = path.read_bytes() if path.exists() else b""
    at = data.find(b"\n") + 1
    found = []
    while len(data) - at >= 9:
        length, _checksum, kind = struct.unpack_from("<IIB", data, at)
        body = data[at + 9:at + 9 + length]
        if len(body) < length:
            break
        if kind == 2:
            found.append(("intent", struct.unpack("<Q", body)[0]))
        elif kind == 3:
            found.append(("result", *struct.unpack_from("<QB", body)))
        elif kind == 4:
            count = struct.unpack_from("<I", body)[0]
            rows = (struct.unpack_from("<QII", body, 4 + 16 * i) for i in range(count))
            found.append(("suspects", {number: (deaths, blames) for number, deaths, blames in rows}))
        at += 9 + length
    return found


DONE = 0


def computed_again(path):
    """Replications dispatched more than once, and those of them for which observations were there already."""
    seen, done, again, inexcusable = set(), set(), [], []
    for kind, value, *rest in records(path):
        if kind == "result" and rest[0] == DONE:
            done.add(value)
        elif kind == "intent":
            if value in seen:
                again.append(value)
            if value in done:
                inexcusable.append(value)
            seen.add(value)
    return again, inexcusable
