# SPDX-License-Identifier: MIT
"""Opens, edits and saves levels of old games in Blender; unedited parts stay unchanged."""
from .ui import register, unregister

bl_info = {
    "name": "mapstone levels",
    "author": "mapstone",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "File > Import / Export > mapstone level; sidebar of the 3D view, tab mapstone",
    "description": "Opens, edits and saves levels of old games",
    "category": "Import-Export",
}
__all__ = ["bl_info", "register", "unregister"]
