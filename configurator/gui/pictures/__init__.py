"""The pictures of an answer, drawn with pyqtgraph: imported after the first frame only."""
