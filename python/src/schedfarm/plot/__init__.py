"""Figures of result files. Every function draws into `ax=`, or into a new figure in a `style=` (column, page, slides), and returns
the matplotlib Axes; `save` writes them as PDF, SVG, PNG or PGF, equal results as equal bytes.

    from schedfarm import plot

    plot.save(plot.curve(results, "response_time"), "figure.pdf")
"""

from .._series import all_metrics, shown_metrics
from ._canvas import close, save, style
from .curves import curve, normalised_curve, pareto
from .distributions import ecdf
from .evidence import convergence, ranks, welch
from .gantt_chart import gantt, gantt_diff, rank_gantt
from .grids import facets, heatmap
from .intervals import bars, forest, paper
from .logged import logged, logged_cells
from .nodes_chart import nodes
from .over_time import queue, utilization
from .suggested import overview, suggested

__all__ = [
    "all_metrics", "bars", "close", "convergence", "curve", "ecdf", "facets", "forest", "gantt", "gantt_diff", "heatmap",
    "logged", "logged_cells", "nodes", "normalised_curve", "overview", "paper", "pareto", "queue", "rank_gantt", "ranks", "save", "shown_metrics", "style", "suggested", "utilization", "welch",
]
