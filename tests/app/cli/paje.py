"""A reader of Paje traces."""
import re

from program import expect


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
