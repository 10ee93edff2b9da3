"""Figures inside of the page: matplotlib's SVG made small, without names that could meet those of another figure."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt

from ..plot import _canvas

_SVG = "http://www.w3.org/2000/svg"
_LINK = "{http://www.w3.org/1999/xlink}href"
ElementTree.register_namespace("", _SVG)
ElementTree.register_namespace("xlink", _LINK[1:-5])

_NUMBER = re.compile(r"-?\d+\.\d{2,}")
_DEAD = re.compile(r"(?:; )?stroke-(?:linejoin|linecap): \w+|(?:; )?stroke-miterlimit: \d+")
_FONT = re.compile(r"font: (?:(bold) )?([\d.]+px) [^;]*")  # the page names the family


def inline_svg(drawn: Any, label: str, number: int, rows: Mapping[int, int] | None = None) -> str:
    """The SVG of a figure for HTML; closes the figure. `number` tells the figures of a page apart; `rows` are those of the table below,
    by cell: the page's script tells at every point what its row says."""
    with plt.rc_context({"svg.hashsalt": "schedfarm", "svg.fonttype": "none"}):
        file = io.StringIO()
        _canvas.figure_of(drawn).savefig(file, format="svg", metadata={"Date": None}, facecolor="none")
    _canvas.close(drawn)
    root = ElementTree.fromstring(file.getvalue())
    for element in root.findall(f"{{{_SVG}}}metadata"):
        root.remove(element)
    _number_points(root, rows or {})
    _forget_names(root, number)
    for element in root.iter():
        _shorten(element)
    for group in root.iter(f"{{{_SVG}}}g"):
        _join_lines(group)
        _say_style_once(group)
    root.attrib.update({"role": "img", "aria-label": label})
    root.attrib.pop("height", None)
    root.attrib["width"] = "100%"
    text = ElementTree.tostring(root, encoding="unicode")
    return text.replace(f' xmlns="{_SVG}"', "").replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', "").replace("xlink:href", "href") \
        .replace("\n", " ").replace(" />", "/>")


def _number_points(root: ElementTree.Element, rows: Mapping[int, int]) -> None:
    """The points of a series lie flat in a group that has the table's rows of theirs."""
    for group in root.iter(f"{{{_SVG}}}g") if rows else ():
        cells = re.fullmatch(r"cells-([\d-]+)", group.get("id", ""))
        if not cells:
            continue
        group.set("class", "points")
        group.set("data-rows", " ".join(str(rows[int(cell)]) for cell in cells.group(1).split("-") if int(cell) in rows))
        wrapped = [part for part in group if part.tag == f"{{{_SVG}}}g"]
        points = [point for part in wrapped for point in part]
        for part in wrapped:
            group.set("clip-path", part.get("clip-path", ""))
            group.remove(part)
        group.extend(points)


def _join_lines(group: ElementTree.Element) -> None:
    """Lines that follow one another and look alike, as those of a hundred error bars, become one path."""
    before: ElementTree.Element | None = None
    for part in list(group):
        joins = part.tag == f"{{{_SVG}}}path" and part.get("style", "").startswith("fill:none;stroke:") and "opacity" not in part.get("style", "")
        if joins and before is not None and {**before.attrib, "d": ""} == {**part.attrib, "d": ""}:
            before.set("d", f"{before.get('d')} {part.get('d')}")
            group.remove(part)
        else:
            before = part if joins else None


def _say_style_once(group: ElementTree.Element) -> None:
    parts = [part for part in group if part.tag != f"{{{_SVG}}}defs"]
    styles = {part.get("style", "") for part in parts}
    if len(parts) > 1 and len(styles) == 1 and "" not in styles and "style" not in group.attrib:
        group.set("style", styles.pop())
        for part in parts:
            del part.attrib["style"]


def _forget_names(root: ElementTree.Element, number: int) -> None:
    """Names that nothing refers to go; the others get the figure's number."""
    text = ElementTree.tostring(root, encoding="unicode")
    used = set(re.findall(r"#([\w-]+)", text))
    short = {name: f"f{number}-{place}" for place, name in enumerate(sorted(used))}
    for element in root.iter():
        name = element.get("id")
        if name is not None:
            if name in short:
                element.set("id", short[name])
            else:
                del element.attrib["id"]
        link = element.get(_LINK)
        if link and link[1:] in short:
            element.set(_LINK, f"#{short[link[1:]]}")
        clip = element.get("clip-path")
        if clip and clip[5:-1] in short:
            element.set("clip-path", f"url(#{short[clip[5:-1]]})")


def _shorten(element: ElementTree.Element) -> None:
    """Digits beyond a hundredth of a point, and what is the default anyway."""
    element.tail = None if element.tail is None or not element.tail.strip() else element.tail
    if element.text is not None and not element.text.strip():
        element.text = None
    for name in ("d", "x", "y", "points", "transform"):
        if name in element.attrib:
            element.set(name, _NUMBER.sub(lambda match: f"{float(match.group()):.1f}", element.attrib[name]).replace("\n", "").replace("  ", " ").strip())
    path = element.get("d", "")
    if path.count("M") == 1 and not re.search("[CQz]", path[:-1]):
        element.set("d", path.replace("L ", ""))  # further pairs behind M are lines
    style = element.get("style")
    if style is not None and element.tag != f"{{{_SVG}}}style":
        style = _FONT.sub(lambda match: f"font-size: {match.group(2)}" + ("; font-weight: bold" if match.group(1) else ""), style)
        style = _NUMBER.sub(lambda match: f"{float(match.group()):.2g}", _DEAD.sub("", style).lstrip("; "))
        element.set("style", style.replace(": ", ":").replace("; ", ";"))
    if element.get("transform", "").startswith("rotate(-0 "):
        del element.attrib["transform"]
