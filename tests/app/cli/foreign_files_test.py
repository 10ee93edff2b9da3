"""Foreign journals and result files, through the program itself: one message, exit code 2, and every file as it
was; a torn tail of a journal alone is cut off.

usage: foreign_files_test.py PROGRAM
"""
import re
import struct
import subprocess
import sys
import xml.dom.minidom

import h5py
import numpy as np

from journal import records
from program import SMALL_CAMPAIGN, Failure, expect, main

CRC32C_POLYNOMIAL = 0x82F63B78


def crc32c(data):
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _bit in range(8):
            value = (value >> 1) ^ (CRC32C_POLYNOMIAL if value & 1 else 0)
    return value ^ 0xFFFFFFFF


def record(kind, body):
    """A record with the right checksum, after the description of the format."""
    checked = bytes([kind]) + body
    return struct.pack("<II", len(body), crc32c(checked)) + checked


def result_body(cell, replication, payload=b"", status=1):
    body = struct.pack("<QBI", cell << 32 | replication, status, 1)
    return body + struct.pack("<dI", 0.1, len(payload)) + payload + struct.pack("<Idd", 0, 0, 0)


def content(program):
    return {path.name: path.read_bytes() for path in program.folder.iterdir()}


def expect_refused(program, arguments, name):
    before = content(program)
    done = program.run(*arguments, exit_code=2)
    lines = done.stderr.strip().splitlines()
    expect(len(lines) == 1 and name in lines[0], f"{arguments}: not one line about {name}: {done.stderr}")
    expect(done.stdout == "", f"{arguments}: output beside a refusal: {done.stdout}")
    expect(content(program) == before, f"{arguments}: a refusal changed a file")


def foreign_journals(good):
    """Journals that no command may take, by name."""
    header_end = good.index(b"\n") + 1
    header_end += 9 + struct.unpack_from("<I", good, header_end)[0]
    header = bytearray(good[good.index(b"\n") + 10:header_end])
    start = good[:good.index(b"\n") + 1]
    header[0:4] = struct.pack("<I", 99)
    flipped = bytearray(good)
    flipped[30] ^= 1
    return {
        "empty": b"",
        "magic": start,
        "cutheader": good[:header_end - 1],
        "noise": bytes(range(256)) * 8,
        "flipped": bytes(flipped),
        "format": start + record(1, bytes(header)) + good[header_end:],
        "unknownkind": good + record(9, b"what"),
        "foreigncell": good + record(3, result_body(1000, 0)),
        "hugeindex": good + record(3, result_body(0, 0xFFFFFFFF)),
        "nopayload": good + record(3, result_body(0, 0, status=0)),
        "noise payload": good + record(3, result_body(0, 0, bytes(64), status=0)),
        "shortresult": good + record(3, b"abc"),
        "foreignsuspect": good + record(4, struct.pack("<IQII", 1, 1000 << 32, 7, 7)),
    }


def journals_are_refused(program):
    """Each of them by a command, in turn; foreign_input_test gives hundreds to every command."""
    good = (program.folder / "small.h5.journal").read_bytes()
    for number, (name, bytes_of_journal) in enumerate(foreign_journals(good).items()):
        journal = f"{name}.h5.journal"
        (program.folder / journal).write_bytes(bytes_of_journal)
        commands = (["rebuild", journal], ["status", journal], ["merge", "joined.h5", "small.h5", journal],
                    ["resume", "small.yaml", "-o", f"{name}.h5", "-w", "0"],
                    ["run", "--extend", "small.yaml", "-o", f"{name}.h5", "-w", "0"],
                    ["run", "small.yaml", "-o", f"{name}.h5", "-w", "0"])
        expect_refused(program, commands[number % len(commands)], journal)
        (program.folder / journal).unlink()


def another_campaign_is_refused(program):
    program.write("other.yaml", SMALL_CAMPAIGN.replace("seed: 11", "seed: 12").replace("name: small", "name: other"))
    program.run("run", "other.yaml", "-w", "0")
    for command in (["resume"], ["run"], ["run", "--extend"]):
        expect_refused(program, [*command, "small.yaml", "-o", "other.h5", "-w", "0"], "other.h5.journal")
    expect_refused(program, ["merge", "joined.h5", "small.h5", "other.h5"], "other.h5.journal")


def torn_tail_is_cut(program):
    good = (program.folder / "small.h5.journal").read_bytes()
    (program.folder / "torn.h5.journal").write_bytes(good[:-5])
    program.run("status", "torn.h5")
    expect((program.folder / "torn.h5.journal").read_bytes() == good[:-5], "status changed a journal")
    done = program.run("resume", "small.yaml", "-o", "torn.h5", "-w", "0")
    expect("damaged" not in done.stderr and not (program.folder / "torn.h5.journal.damaged").exists(),
           f"a torn tail was taken for damage: {done.stderr}")
    expect(program.payload_hash("torn.h5") == program.payload_hash("small.h5"), "a torn tail changed the payload")


def damage_in_the_middle_is_said(program):
    good = (program.folder / "small.h5.journal").read_bytes()
    journal = program.folder / "hurt.h5.journal"
    kept_behind = program.folder / "hurt.h5.journal.damaged"
    middle = len(good) // 2
    journal.write_bytes(good[:middle] + b"\xff" * 8 + good[middle + 8:])
    hurt = journal.read_bytes()
    kept = sum(kind == "result" for kind, *_rest in records(journal))
    expect(0 < kept < 48, f"{kept} results before the damage")
    seen = {"status": program.run("status", "hurt.h5"),
            "rebuild": program.run("rebuild", "hurt.h5.journal", "-o", "rebuilt.h5"),
            "merge": program.run("merge", "joined.h5", "hurt.h5", exit_code=1)}
    expect(journal.read_bytes() == hurt and not kept_behind.exists(), "looking at a journal changed something")
    whole = (program.folder / "small.h5").read_bytes()
    (program.folder / "hurt.h5").write_bytes(whole)
    for arguments in (["hurt.h5.journal"], ["hurt.h5.journal", "-o", "./hurt.h5"]):
        said = program.run("rebuild", *arguments, exit_code=2).stderr
        expect(f"hurt.h5: it has 48 replications, what can be read of the journal {kept} (the others would be lost)" in said,
               said)
    expect((program.folder / "hurt.h5").read_bytes() == whole, "rebuild replaced a better file")
    (program.folder / "hurt.h5").unlink()
    done = program.run("resume", "small.yaml", "-o", "hurt.h5", "-w", "0")
    found = re.search(r"hurt.h5.journal: damaged at byte (\d+): (\d+) results before it are kept, (\d+) bytes behind it "
                      r"are dropped \(kept as hurt.h5.journal.damaged\)", done.stderr)
    expect(found, f"no word of the damage: {done.stderr}")
    byte, results, dropped = map(int, found.groups())
    for command, said in seen.items():
        expect(f"hurt.h5.journal: damaged at byte {byte}: {results} results before it are kept, {dropped} bytes behind "
               f"it are dropped" in said.stderr, f"{command} said: {said.stderr}")
    expect(f"{kept} replications" in seen["rebuild"].stdout and f"{kept} replications" in seen["merge"].stdout,
           f"not {kept} replications: {seen['rebuild'].stdout}{seen['merge'].stdout}")
    expect(results == kept and byte + dropped == len(hurt) and byte <= middle, done.stderr)
    expect(kept_behind.read_bytes() == hurt[byte:], "not what was cut off is kept")
    expect(journal.read_bytes()[:byte] == hurt[:byte], "what is before the damage has changed")
    expect(program.payload_hash("hurt.h5") == program.payload_hash("small.h5"), "damage changed the payload")
    again = program.run("resume", "small.yaml", "-o", "hurt.h5", "-w", "0")
    expect("damaged" not in again.stderr, f"said twice: {again.stderr}")


def with_h5py(change):
    def make(path):
        with h5py.File(path, "r+") as file:
            change(file)
    return make


def overwrite(table, column, value):
    def change(file):
        rows = file[table][:]
        rows[column][0] = value
        file[table][:] = rows
    return with_h5py(change)


def drop(table):
    def change(file):
        del file[table]
    return with_h5py(change)


def set_attribute(name, value):
    def change(file):
        file.attrs[name] = value
    return with_h5py(change)


def cut(path):
    path.write_bytes(path.read_bytes()[:2000])


def flip(path):
    """A bit within the numbers of a table."""
    with h5py.File(path, "r") as file:
        chunk = file["replications"].id.get_chunk_info(0)
    data = bytearray(path.read_bytes())
    data[chunk.byte_offset + chunk.size // 2] ^= 4
    path.write_bytes(bytes(data))


RESULT_FILES = {
    "noise.h5": lambda path: path.write_bytes(bytes(range(256)) * 8),
    "cut.h5": cut,
    "flipped.h5": flip,
    "later.h5": set_attribute("schema_version", "4.0"),
    "nothing.h5": set_attribute("schema_version", ""),
    "other.h5": set_attribute("filetype", "other"),
}
# Sound HDF5, wrong tables: the check lists what is wrong, what reads the tables refuses.
CHANGED_FILES = {
    "nocells.h5": drop("cells"),
    "farcell.h5": overwrite("estimates", "cell", 2 ** 40),
    "hole.h5": overwrite("replications", "replication", 7),
    "badword.h5": overwrite("cells", "status", b"wonderful"),
}


def result_files_are_refused(program):
    whole = (program.folder / "small.h5").read_bytes()
    for name, make in {**RESULT_FILES, **CHANGED_FILES}.items():
        path = program.folder / name
        path.write_bytes(whole)
        make(path)
        for arguments in (["report", name], ["report", "-f", "csv", name], ["diff", "small.h5", name],
                          ["diff", name, "small.h5", "-m", "overlap"], ["diff", "small.h5", name, "-m", "paired"],
                          ["plot", name, "-o", "figure.svg"], ["report", "-f", "html", name, "-o", "page.html"]):
            expect_refused(program, arguments, name)
        if name in RESULT_FILES:
            expect_refused(program, ["check", name], name)
        else:
            expect(name in program.run("check", name, exit_code=1).stderr, f"check {name}")
        path.unlink()


EVIL = b"\x1b[2J\xff\xc3(\x07\xc2\x9b3J\xe2\x80\xae"


def evil_files(program):
    """Sound HDF5 whose texts hold bytes that are no UTF-8 and that command terminals; by name."""
    small = program.folder / "small.h5"

    def change(name, alter):
        path = program.folder / name
        path.write_bytes(small.read_bytes())
        with h5py.File(path, "r+") as file:
            alter(file)
        return name

    def attribute(owner, name):
        def alter(file):
            place = file[owner] if owner else file
            length = len(EVIL) + 1
            kind = h5py.h5t.C_S1.copy()
            kind.set_size(length)
            if h5py.h5a.exists(place.id, name):
                h5py.h5a.delete(place.id, name)
            made = h5py.h5a.create(place.id, name, kind, h5py.h5s.create(h5py.h5s.SCALAR))
            made.write(np.array(EVIL, dtype=f"S{length}"))
        return alter

    def texts(table, column):
        def alter(file):
            rows = file[table][:]
            kind = [(name, f"S{len(EVIL) + 40}") if name == column else (name, rows.dtype[name])
                    for name in rows.dtype.names]
            wider = rows.astype(kind)
            wider[column] = [text + EVIL for text in rows[column]]
            kept = dict(file[table].attrs)
            del file[table]
            made = file.create_dataset(table, data=wider)
            for name, value in kept.items():
                made.attrs[name] = value
        return alter

    def link(file):
        h5py.h5g.create(file.id, EVIL)

    def renamed(file):
        rows = file["farm"][:]
        kind = h5py.h5t.create(h5py.h5t.COMPOUND, 8)
        kind.insert(EVIL, 0, h5py.h5t.NATIVE_UINT64)
        del file["farm"]
        h5py.h5d.create(file.id, b"farm", kind, h5py.h5s.create_simple((len(rows),)))

    return [change("version.h5", attribute(None, b"schema_version")), change("name.h5", attribute(None, b"campaign_name")),
            change("attribute.h5", attribute(None, EVIL)), change("meaning.h5", attribute("farm", b"meaning")),
            change("unit.h5", attribute("farm", b"units")), change("label.h5", texts("cells", "label")),
            change("level.h5", texts("factors", "label")), change("status.h5", texts("cells", "status")),
            change("workload.h5", texts("cells", "workload")), change("metric.h5", texts("estimates", "metric")),
            change("link.h5", link), change("column.h5", renamed)]


def expect_printable(program, *arguments):
    done = subprocess.run([program.path, *arguments], cwd=program.folder, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=60, check=False)
    for text in (done.stdout, done.stderr):
        try:
            decoded = text.decode()
        except UnicodeDecodeError as error:
            raise Failure(f"{arguments}: {error}") from error
        controls = {c for c in decoded if c != "\n" and (ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")}
        expect(not controls, f"{arguments}: control characters {controls}: {decoded[:400]}")
    return done


def files_of_something_else_are_kept(program):
    """Whatever writes a file replaces one of its own kind only."""
    writers = {
        "jobs.csv": ("simulate", "--trace", "example", "--policy", "easy", "-p", "64", "--jobs"),
        "log.swf": ("trace", "example", "--write"),
        "log.csv": ("trace", "example", "--write"),
        "page.html": ("report", "small.h5", "--format", "html", "-o"),
        "figure.svg": ("plot", "small.h5", "-o"),
        "figure.png": ("plot", "small.h5", "-o"),
        "chart.txt": ("gantt", "jobs.csv", "--format", "text", "-o"),
        "drawn.csv": ("gantt", "jobs.csv", "--format", "csv", "-o"),
    }
    for name, words in writers.items():
        program.run(*words, name)
        program.run(*words, name)  # over its own kind
        kept = program.write("kept-" + name, SMALL_CAMPAIGN)
        done = program.run(*words, kept, exit_code=4)
        expect("something else" in done.stderr and kept in done.stderr, f"{words}: {done.stderr}")
        expect((program.folder / kept).read_text() == SMALL_CAMPAIGN, f"{words} replaced a campaign file")


def foreign_texts_are_printable(program):
    shown = 0
    for name in evil_files(program):
        for arguments in (["check", name], ["report", name], ["report", name, "-f", "csv"],
                          ["report", name, "-f", "markdown"], ["report", name, "-f", "latex"],
                          ["report", name, "--table", "cells"], ["report", name, "--table", "estimates"],
                          ["diff", "small.h5", name], ["diff", name, "small.h5", "-m", "overlap"],
                          ["diff", name, "small.h5", "-m", "paired"], ["gantt", name]):
            done = expect_printable(program, *arguments)
            shown += "\ufffd" in (done.stdout + done.stderr).decode()
    expect(shown > 25, f"only {shown} outputs show a foreign text")
    done = expect_printable(program, "gantt", "name.h5", "-o", "evil.svg")
    expect(done.returncode == 0, f"no figure: {done.stderr}")
    xml.dom.minidom.parse(str(program.folder / "evil.svg"))


def foreign_logs_are_printable(program):
    (program.folder / "evil.csv").write_bytes(b"job,submit,start,finish,processors\n1,0,0," + EVIL + b",1\n")
    (program.folder / "evil.swf").write_bytes(
        b"; MaxProcs: 4\n; Computer: " + EVIL + b"\n; Queue: 1 " + EVIL + b"\n"
        b"1 0 0 5 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1\n2 0 0 " + EVIL + b" 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1\n")
    (program.folder / "queue.swf").write_bytes(b"".join(
        line + b"\n" for line in (program.folder / "evil.swf").read_bytes().split(b"\n")[:4]))
    program.write("evil.yaml", SMALL_CAMPAIGN.replace("name: small", 'name: "\\e[2J\\x07\\x9b\\u202e"')
                  .replace("[filling, saturated]", '["\\e[2J", saturated]').replace("replications: 12", "replications: 1"))
    program.write("bad.yaml", 'campaign_format: 1\nname: x\nexperiment: "\\e[2J"\n"\\e[3J": 1\n')
    for arguments in (["gantt", "evil.csv"], ["gantt", "evil.swf"], ["trace", "evil.swf"], ["trace", "queue.swf"],
                      ["simulate", "--trace", "queue.swf", "-p", "4", "--policy", "fcfs", "--set",
                       "workload.classes=queues"],
                      ["simulate", "--trace", "evil.swf", "-p", "4", "--policy", "fcfs"],
                      ["plan", "evil.yaml"], ["plan", "bad.yaml"], ["run", "evil.yaml", "-w", "0"],
                      ["status", "evil.yaml"], ["report", "evil.h5"], ["replay", "evil.yaml", "-c", "0", "-r", "0"],
                      ["gantt", "evil.h5"]):
        expect_printable(program, *arguments)


def foreign_files_are_not_quoted(program):
    """What a campaign names and is something else is refused without a word of it."""
    program.write("secret", "password: hunter2\nuser: alice\n")
    program.write("including.yaml", "include: secret\n" + SMALL_CAMPAIGN)
    program.write("referring.yaml", SMALL_CAMPAIGN + "reference: secret\n")
    for name in ("including.yaml", "referring.yaml"):
        done = program.run("plan", name, exit_code=2)
        expect("secret" in done.stderr, done.stderr)
        expect(not any(word in done.stderr for word in ("hunter2", "alice", "password", "user")), done.stderr)


def test(program, _arguments):
    program.write("small.yaml", SMALL_CAMPAIGN)
    program.run("run", "small.yaml", "-w", "0")
    journals_are_refused(program)
    another_campaign_is_refused(program)
    torn_tail_is_cut(program)
    damage_in_the_middle_is_said(program)
    result_files_are_refused(program)
    files_of_something_else_are_kept(program)
    foreign_texts_are_printable(program)
    foreign_files_are_not_quoted(program)
    foreign_logs_are_printable(program)


if __name__ == "__main__":
    sys.exit(main(test))
