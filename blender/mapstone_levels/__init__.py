# SPDX-License-Identifier: MIT
"""Levels of old games in Blender: opened, edited, and saved with what was not touched as it was."""
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
