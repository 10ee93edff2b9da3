"""Independent readers of what `gantt` draws and exports: SVG, PNG and Paje."""
import re
import struct
import xml.etree.ElementTree
import zlib

import numpy

from program import expect

SVG = "{http://www.w3.org/2000/svg}"
PATH_PART = re.compile(r"M(\S+) (\S+?)h([-\d.]+)v([-\d.]+)h([-\d.]+)z")


def colour(text):
    return tuple(int(text[i:i + 2], 16) for i in (1, 3, 5))


def svg_boxes(text):
    """(x, y, width, height, colour) in the order of painting; size; number of labels."""
    root = xml.etree.ElementTree.fromstring(text)
    boxes = []
    for element in root:
        if element.tag == SVG + "rect" and "x" in element.attrib:
            boxes.append((*(float(element.get(key)) for key in ("x", "y", "width", "height")), colour(element.get("fill"))))
        elif element.tag == SVG + "path":
            parts = PATH_PART.findall(element.get("d"))
            expect("".join("M%s %sh%sv%sh%sz" % part for part in parts) == element.get("d"), "a path of other things")
            for x, y, width, height, back in parts:
                expect(float(back) == -float(width), "a path that does not close")
                boxes.append((float(x), float(y), float(width), float(height), colour(element.get("fill"))))
    return boxes, (int(root.get("width")), int(root.get("height"))), len(root.findall(SVG + "text"))


def png_pixels(data):
    """height × width × 3; the chunks and their checksums are held against the standard."""
    expect(data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG")
    chunks, at = {}, 8
    while at < len(data):
        length, = struct.unpack(">I", data[at:at + 4])
        kind, body = data[at + 4:at + 8], data[at + 8:at + 8 + length]
        expect(struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + body), f"{kind}: checksum")
        chunks[kind] = body
        at += 12 + length
    expect(list(chunks) == [b"IHDR", b"IDAT", b"IEND"], f"chunks {list(chunks)}")
    width, height, *rest = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    expect(rest == [8, 2, 0, 0, 0], f"header {rest}")
    rows = numpy.frombuffer(zlib.decompress(chunks[b"IDAT"]), numpy.uint8).reshape(height, 1 + 3 * width)
    expect((rows[:, 0] == 0).all(), "rows with filters")
    return rows[:, 1:].reshape(height, width, 3)


def painted(boxes, size):
    """The boxes that cover whole pixels, and where they are all that was painted."""
    width, height = size
    pixels = numpy.full((height, width, 3), 255, numpy.uint8)
    known = numpy.ones((height, width), bool)
    for x, y, across, down, fill in boxes:
        edges = [int(numpy.floor(value + 0.5)) for value in (x, x + across, y, y + down)]
        left, right, top, bottom = edges
        if left == right or top == bottom:
            known[max(top - 1, 0):bottom + 2, max(left - 1, 0):right + 2] = False
        pixels[max(top, 0):bottom, max(left, 0):right] = fill
    return pixels, known


def read_paje(text):
    """Holds a trace against its own definitions. Returns [(processor, begin, end, value)] and the last levels."""
    definitions, lines = {}, text.splitlines()
    at = 0
    while lines[at].startswith("%"):
        _, name, number = lines[at].split()
        fields, at = [], at + 1
        while not lines[at].startswith("%EndEventDef"):
            fields.append(lines[at].split()[1])
            at += 1
        definitions[number] = (name, fields)
        at += 1
    types, values, containers, levels, stays, running, now = {}, set(), {"0"}, {}, [], {}, None
    for line in lines[at:]:
        words = re.findall(r'"[^"]*"|\S+', line)
        name, fields = definitions[words[0]]
        expect(len(words) == len(fields) + 1, f"{line}: not the fields {fields}")
        event = dict(zip(fields, words[1:]))
        if "Time" in event:
            time = float(event["Time"])
            expect(now is None or time >= now, f"{line}: back in time")
            now = time
        if name.startswith("PajeDefine") and name != "PajeDefineEntityValue":
            types[event["Alias"]] = name
        elif name == "PajeDefineEntityValue":
            values.add(event["Alias"])
        elif name == "PajeCreateContainer":
            expect(event["Container"] in containers and event["Type"] in types, line)
            containers.add(event["Alias"])
        elif name == "PajeDestroyContainer":
            containers.remove(event["Name"])
        else:
            expect(event["Container"] in containers and event["Type"] in types, line)
            where = event["Container"]
            if name == "PajeSetVariable":
                levels[event["Type"]] = float(event["Value"])
            elif name == "PajePushState":
                expect(where not in running and event["Value"] in values, f"{line}: held twice, or not defined")
                running[where] = (now, event["Value"])
            else:
                begin, value = running.pop(where)
                stays.append((int(where[1:]), begin, now, value))
    expect(not running and containers == {"0"}, "something is left over")
    return stays, levels
