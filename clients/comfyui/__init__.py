"""Nodes of guise for ComfyUI."""

import sys
from pathlib import Path

try:
    from guise import Guise  # noqa: F401
except ImportError:
    # The client lies beside these nodes in a clone of guise.
    sys.path.append(str(Path(__file__).resolve().parent.parent / "python"))

from .nodes import NODE_CLASS_MAPPINGS, NODE_DISPLAY_NAME_MAPPINGS

__all__ = ["NODE_CLASS_MAPPINGS", "NODE_DISPLAY_NAME_MAPPINGS"]
