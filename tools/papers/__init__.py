"""What each of the five papers prints, item by item, and where a result file has what came out."""
