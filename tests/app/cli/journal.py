"""A second reader of journals, written after the description of the format and nothing else."""
import struct

DONE = 0
CASTAGNOLI = 0x82F63B78


def checksum_table():
    rows = []
    for byte in range(256):
        for _bit in range(8):
            byte = byte >> 1 ^ (CASTAGNOLI if byte & 1 else 0)
        rows.append(byte)
    return rows


TABLE = checksum_table()


def crc32c(data):
    value = 0xFFFFFFFF
    for byte in data:
        value = TABLE[(value ^ byte) & 0xFF] ^ value >> 8
    return value ^ 0xFFFFFFFF


def suspects_in(body):
    count = struct.unpack_from("<I", body)[0]
    rows = (struct.unpack_from("<QII", body, 4 + 16 * i) for i in range(count))
    return {number: (deaths, blames) for number, deaths, blames in rows}


def records(path):
    """The records after the header, in order: ("intent", id), ("result", id, status) or
    ("suspects", {id: (deaths, blames)}); what follows the first damaged one is left out."""
    data = path.read_bytes() if path.exists() else b""
    at = data.find(b"\n") + 1
    found = []
    while len(data) - at >= 9:
        length, checksum, kind = struct.unpack_from("<IIB", data, at)
        body = data[at + 9:at + 9 + length]
        if len(body) < length or crc32c(data[at + 8:at + 9 + length]) != checksum:
            break
        if kind == 2:
            found.append(("intent", struct.unpack("<Q", body)[0]))
        elif kind == 3:
            found.append(("result", *struct.unpack_from("<QB", body)))
        elif kind == 4:
            found.append(("suspects", suspects_in(body)))
        at += 9 + length
    return found


def failed(path):
    """Replications whose last result is a failure."""
    status = {value: rest[0] for kind, value, *rest in records(path) if kind == "result"}
    return {number for number, last in status.items() if last != DONE}


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


def in_flight(path):
    """What was under way when a run ended: at each later beginning, and at the end of the journal."""
    under_way, ends = set(), []
    for kind, value, *_rest in records(path):
        if kind == "intent":
            under_way.add(value)
        elif kind == "result":
            under_way.discard(value)
        elif kind == "suspects":
            ends.append(under_way)
            under_way = set()
    return [*ends, under_way]
