"""Rectangles that show their area at any size: pixels are mixed by the shares that rectangles have of them, so that nothing is dropped,
widened or hidden by an edge."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgba_array
from matplotlib.transforms import IdentityTransform

_LEAST_SHAPE = 5.0  # points: a rectangle with a shorter side is mixed in files of shapes, too, and has no edge


class Boxes(PolyCollection):  # type: ignore[misc]
    """`low`, `high`: of every rectangle its ends in time and in height; `colours`: one each. With `edge` (points) the larger ones
    have an edge of their own colour, darker and inside, so that neighbours of one colour are two."""

    def __init__(self, left: Any, right: Any, low: Any, high: Any, colours: Any, name: str, edge: float = 0.0) -> None:
        sides = [np.asarray(side, dtype=float) for side in (left, right, low, high)]
        faces = to_rgba_array(list(colours)) if len(sides[0]) else np.empty((0, 4))
        super().__init__(rectangles(*sides), facecolors=faces, edgecolors="none", linewidths=0, gid=name)
        self._ends, self._edge = np.stack([sides[0], sides[2], sides[1], sides[3]], axis=-1).reshape(-1, 2, 2), edge

    def draw(self, renderer: Any) -> None:
        point = self.figure.dpi / 72
        box = self.axes.bbox
        ends = self.get_transform().transform(self._ends.reshape(-1, 2)).reshape(-1, 2, 2)
        ends = np.sort(ends, axis=1).clip([box.x0, box.y0], [box.x1, box.y1])
        is_shape = (ends[:, 1] - ends[:, 0]).min(axis=1) >= _LEAST_SHAPE * point
        if not self.get_visible() or not len(ends):
            return
        faces = self.get_facecolors()
        renderer.open_group("boxes", gid=self.get_gid())
        has_pixels = hasattr(renderer, "buffer_rgba")
        is_mixed = ~is_shape | has_pixels
        self._draw_mixed(renderer, ends[is_mixed], faces[is_mixed])
        inset = self._edge * point / 2
        (left, low), (right, high) = (ends[is_shape, side].T + inset * (1 - 2 * side) for side in (0, 1))
        dark = faces[is_shape] * [0.72, 0.72, 0.72, 1]
        shapes = PolyCollection(rectangles(left, right, low, high), facecolors="none" if has_pixels else faces[is_shape], linewidths=self._edge,
                                edgecolors=dark if self._edge else "none", transform=IdentityTransform())
        shapes.set_snap(False)
        shapes.set_figure(self.figure)
        shapes.set_clip_path(self.axes.patch)
        if is_shape.any():
            shapes.draw(renderer)
        renderer.close_group("boxes")

    def _draw_mixed(self, renderer: Any, ends: Any, faces: Any) -> None:
        """As one picture of the pixels of the axes."""
        if not len(ends):
            return
        zoom = renderer.get_image_magnification()
        begin = np.floor(ends.min(axis=(0, 1)) * zoom)
        wide, high = (np.ceil(ends.max(axis=(0, 1)) * zoom) - begin).astype(int)
        layers = np.column_stack([faces[:, :3] * faces[:, 3:], faces[:, 3]])
        mixed = _areas(ends * zoom - begin, layers, max(wide, 1), max(high, 1))
        alpha = mixed[..., 3:]
        mixed[..., :3] /= np.where(alpha > 0, alpha, 1)
        gc = renderer.new_gc()
        gc.set_clip_rectangle(self.axes.bbox)
        renderer.draw_image(gc, *(begin / zoom), np.round(255 * mixed.clip(0, 1)).astype(np.uint8))
        gc.restore()


def rectangles(left: Any, right: Any, low: Any, high: Any) -> Any:
    """Their corners."""
    return np.stack([np.column_stack(pair) for pair in ((left, low), (right, low), (right, high), (left, high))], axis=1)


def _areas(ends: Any, layers: Any, wide: int, high: int) -> Any:
    """Of every pixel the sum of layers times the area that rectangles have of it: a corner changes the four pixels around it, sums along
    both axes do the rest, and the cost does not depend on how many pixels a rectangle covers."""
    changes = np.zeros((layers.shape[1], (high + 2) * (wide + 2)))
    for side, sign in (((0, 0), 1), ((1, 0), -1), ((0, 1), -1), ((1, 1), 1)):
        x, y = ends[:, side[0], 0], ends[:, side[1], 1]
        column, row = np.floor(x).astype(int), np.floor(y).astype(int)
        for right, of_x in ((0, column + 1 - x), (1, x - column)):
            for up, of_y in ((0, row + 1 - y), (1, y - row)):
                place = (row + up) * (wide + 2) + column + right
                for own, layer in zip(changes, layers.T):
                    own += np.bincount(place, sign * of_x * of_y * layer, len(own))
    return changes.reshape(-1, high + 2, wide + 2).cumsum(axis=1).cumsum(axis=2)[:, :high, :wide].transpose(1, 2, 0)
