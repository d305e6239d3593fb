# SPDX-License-Identifier: MIT
"""Menus and panels. Property annotations are evaluated immediately, since Blender reads them."""
# mypy: disable-error-code="valid-type"
import os
import time
from typing import Any, Callable, Optional

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper
from mathutils import Vector

from . import level as levels
from . import things
from .model import LABELS, Root, Thing, belongs, is_geometry, problems_of, roots_of

_SHOWN = 40  # lines of each kind shown in a panel
_outcomes: dict[str, Any] = {}  # by name of level: the effects of saving, or the error
_changed_at = [0.0]  # when the scene changed after the last preview; 0: unchanged


def active_root(context: Any) -> Optional[Root]:
    """The level of the active object, else the first."""
    roots, active = roots_of(context.scene), context.view_layer.objects.active
    return next((one for one in roots if active in one.all_objects[:]), roots[0] if roots else None)


def look(root: Root) -> Any:
    """Determines the effects of saving, for the panel."""
    _changed_at[0] = 0.0
    try:
        _outcomes[root.name] = levels.preview(root)
    except levels.Error as error:
        _outcomes[root.name] = error
    return _outcomes[root.name]


class _WithLevel:
    @classmethod
    def poll(cls, context: Any) -> bool:
        return bool(roots_of(context.scene))


class _Operator(_WithLevel, bpy.types.Operator):
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: Any) -> set[str]:
        try:
            self.run(context, active_root(context))
        except (levels.Error, ValueError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}

    def select(self, context: Any, one: Thing) -> None:
        for other in context.selected_objects:
            other.select_set(False)
        one.hide_set(False)
        one.select_set(True)
        context.view_layer.objects.active = one


def _items(found: Callable[[Any, Any], list[Any]]) -> Callable[[Any, Any], list[Any]]:
    """A callback for EnumProperty, which does not keep references to the texts that it gets."""
    kept: list[Any] = []

    def items(self: Any, context: Any) -> list[Any]:
        each = found(self, context)
        kept[:] = [one if isinstance(one, tuple) else (one, one, "") for one in each]
        return kept

    return items


class MAPSTONE_OT_import(_Operator, ImportHelper):
    """Open a level as objects"""

    bl_idname, bl_label = "import_scene.mapstone", "Import mapstone level"
    game: EnumProperty(name="Game", items=_items(lambda *_: ["none", *levels.mapstone.games()]))
    search: StringProperty(name="Search", subtype="DIR_PATH", description="Has textures and models")
    textures: BoolProperty(name="Textures", default=True)

    @classmethod
    def poll(cls, context: Any) -> bool:
        return context.mode == "OBJECT"

    def run(self, context: Any, _root: Any) -> None:
        folders = [bpy.path.abspath(self.search), levels.mapstone.games().get(self.game, "")]
        settings = {"search": [one for one in folders if one], "textures": self.textures}
        settings["path"] = os.path.abspath(self.filepath)
        root = levels.read(settings, context.scene)
        self.report({"INFO"}, "%s: %d objects" % (root.name, len(root.all_objects)))


class MAPSTONE_OT_export(_Operator, ExportHelper):
    """Write what was changed into the level, or the changed level into another file"""

    bl_idname, bl_label = "export_scene.mapstone", "Save mapstone level"
    filename_ext, check_extension = "", None
    force: BoolProperty(name="Despite Problems", description="Modifiers and scales as they are")

    def invoke(self, context: Any, event: Any) -> set[str]:
        self.filepath = levels.settings_of(active_root(context))["path"]
        return super().invoke(context, event)

    def run(self, context: Any, root: Any) -> None:
        problems = problems_of(root)
        if problems and not self.force:
            raise ValueError("nothing is written: " + "; ".join(one.message for one in problems))
        edited = context.mode.startswith("EDIT")
        if edited:
            bpy.ops.object.mode_set(mode="OBJECT")
        _outcomes.pop(root.name, None)
        path = self.filepath or levels.settings_of(root)["path"]
        for told in levels.save(root, context.scene, path)[:_SHOWN]:
            self.report({"INFO" if told.severity == "information" else "WARNING"}, told.text)
        if edited and context.view_layer.objects.active:
            bpy.ops.object.mode_set(mode="EDIT")


class MAPSTONE_OT_preview(_Operator):
    """Show what saving would change, and what the checks find then"""

    bl_idname, bl_label = "mapstone.preview", "What Will Change"

    def run(self, _context: Any, root: Root) -> None:
        if isinstance(look(root), levels.Error):
            raise _outcomes[root.name]


class MAPSTONE_OT_reload(_Operator):
    """Read the level again; what was changed and not saved is lost"""

    bl_idname, bl_label = "mapstone.reload", "Read Again"

    def run(self, context: Any, root: Root) -> None:
        levels.reload(root, context.scene)


class MAPSTONE_OT_show(_Operator):
    """Select it, and look at it"""

    bl_idname, bl_label = "mapstone.show", "Show"
    path: StringProperty()
    file: StringProperty()
    name: StringProperty()
    text: StringProperty()

    @classmethod
    def description(cls, _context: Any, properties: Any) -> str:
        return properties.text or cls.__doc__ or ""

    def run(self, context: Any, root: Any) -> None:
        found, face = things.find(root, self.path, self.file, self.name)
        if found is None:
            raise ValueError("nothing in the scene is %s" % (self.path or self.name))
        if context.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        self.select(context, found)
        if face is not None:
            things.select_face(found, face)
            bpy.ops.object.mode_set(mode="EDIT")
        if context.area and context.area.type == "VIEW_3D":
            bpy.ops.view3d.view_selected()


class _Search(_Operator):
    bl_property = "choice"

    def invoke(self, context: Any, _event: Any) -> set[str]:
        context.window_manager.invoke_search_popup(self)
        return {"RUNNING_MODAL"}


class MAPSTONE_OT_add(_Search):
    """Add a thing of a class at the 3D cursor"""

    bl_idname, bl_label = "mapstone.add", "Thing of a Level"
    choice: EnumProperty(items=_items(lambda _, c: things.classes_of(active_root(c))))

    def run(self, context: Any, root: Any) -> None:
        place = Vector(context.scene.cursor.location)
        self.select(context, things.add(root, self.choice, place))


class MAPSTONE_OT_material(_Search):
    """Give the selected faces, or the active mesh, a material of the level"""

    bl_idname, bl_label = "mapstone.material", "Material of the Level"
    choice: EnumProperty(items=_items(lambda _, c: things.materials_of(active_root(c))))

    def run(self, context: Any, root: Any) -> None:
        one = context.view_layer.objects.active
        if one is None or one.type != "MESH":
            raise ValueError("select a mesh, or faces of one")
        things.paint(one, self.choice)


def _choices(self: Any, context: Any) -> list[Any]:
    one = context.view_layer.objects.active
    facts = things.facts_of(active_root(context), one) if one else {}
    return [(str(value), *said) for value, *said in facts.get(self.key, ("", []))[1]]


class MAPSTONE_OT_choose(_Search):
    """Choose one of the values that have names"""

    bl_idname, bl_label = "mapstone.choose", "Choose"
    key: StringProperty()
    choice: EnumProperty(items=_items(_choices))

    def run(self, context: Any, root: Any) -> None:
        active = context.view_layer.objects.active
        if active.mode == "EDIT":
            things.labels_of(root, active, self.key, self.choice)
            return
        for one in {active, *context.selected_objects}:
            if one == active or one.get("class") == active.get("class") or self.key == "layers":
                things.choose(one, self.key, self.choice)


class MAPSTONE_OT_snap(_Operator):
    """Snap to a grid in the game's units, and show it"""

    bl_idname, bl_label = "mapstone.snap", "Snap to Units"
    units: FloatProperty(name="Units", default=16, min=0.001)

    def run(self, context: Any, root: Any) -> None:
        tools, size = context.scene.tool_settings, levels.settings_of(root)["unit"] * self.units
        tools.use_snap, tools.use_snap_grid_absolute = True, True
        tools.snap_elements = {"INCREMENT"}
        for area in context.screen.areas if context.screen else ():
            if area.type == "VIEW_3D":
                area.spaces.active.overlay.grid_scale = size


class _Panel(_WithLevel, bpy.types.Panel):
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "mapstone"


class MAPSTONE_PT_level(_Panel):
    bl_idname, bl_label = "MAPSTONE_PT_level", "Level"

    def draw(self, context: Any) -> None:
        layout, path = self.layout, levels.settings_of(active_root(context))["path"]
        layout.label(text=os.path.basename(path), icon="FILE_3D")
        layout.operator_context = "EXEC_DEFAULT"
        layout.operator("export_scene.mapstone", text="Save Level", icon="FILE_TICK")
        layout.operator_context = "INVOKE_DEFAULT"
        for pair in (("preview", "reload"), ("add", "material"), ("snap",)):
            row = layout.row(align=True)
            for name in pair:
                row.operator("mapstone." + name)
        row.prop(context.scene, "mapstone_live", toggle=True)


class MAPSTONE_PT_thing(_Panel):
    bl_idname, bl_label = "MAPSTONE_PT_thing", "Selected Thing"

    def draw(self, context: Any) -> None:
        one, layout = context.view_layer.objects.active, self.layout
        if one is None or not belongs(one):
            return
        layout.label(text="%s  %s" % (one.get("class", one.name), one.get("path", "(new)")))
        root: Any = active_root(context)
        facts = things.facts_of(root, one)
        faces = one.mode == "EDIT" and is_geometry(one)
        labels = [key for key in (LABELS if faces else ("layers", "group")) if key in facts]
        for key in dict.fromkeys((*labels, *things.editable_of(one))):
            row = layout.split(factor=0.8, align=True)
            if key in one and not (faces and key in labels):
                row.prop(one, '["%s"]' % bpy.utils.escape_identifier(key), text=key)
            else:
                names = things.labels_of(root, one, key) if faces else ()
                row.label(text="%s: %s" % (key, "; ".join(sorted(names)) or "none"))
            text, choices = facts.get(key, ("", []))
            if choices:
                row.operator("mapstone.choose", text="", icon="DOWNARROW_HLT").key = key
            else:
                row.label(text=text)


class MAPSTONE_PT_changes(_Panel):
    bl_idname, bl_label = "MAPSTONE_PT_changes", "What Will Change"

    def show(self, texts: list[Any], icon: str) -> None:
        for one in texts[:_SHOWN]:
            text = getattr(one, "message", str(one))  # the full text is in the tooltip
            row = self.layout.operator("mapstone.show", text=text, icon=icon, emboss=False)
            for key in ("path", "file", "name", "text"):
                setattr(row, key, getattr(one, key, ""))

    def draw(self, context: Any) -> None:
        root: Any = active_root(context)
        self.show(list(problems_of(root)), "ERROR")
        outcome = _outcomes.get(root.name)
        if not isinstance(outcome, levels.Outcome):
            self.layout.label(text=str(outcome or "not looked at yet"))
            return
        self.show(outcome.told, "INFO")
        self.layout.label(text="Changes: %d" % len(outcome.lines))
        for line in outcome.lines[:_SHOWN]:
            column = self.layout.column(align=True)
            for text in line.split(": ", 1):
                column.label(text=text)
        self.layout.label(text="Check: %d findings" % len(outcome.findings), icon="VIEWZOOM")
        self.show(outcome.findings, "ERROR")


@bpy.app.handlers.persistent
def _note(_scene: Any, _graph: Any) -> None:
    _changed_at[0] = time.monotonic()


def _tick() -> float:
    scene, since = bpy.context.scene, time.monotonic() - _changed_at[0]
    if scene and scene.mapstone_live and _changed_at[0] and since > 1 and roots_of(scene):
        look(active_root(bpy.context))
        for window in bpy.context.window_manager.windows:
            for area in window.screen.areas:
                area.tag_redraw()
        _changed_at[0] = 0.0
    return 0.5


def _entry(name: str, text: str) -> Callable[[Any, Any], None]:
    return lambda self, context: self.layout.operator(name, text=text)


_CLASSES = [one for name, one in list(globals().items()) if name.startswith("MAPSTONE_")]
_MENUS = (
    ("TOPBAR_MT_file_import", _entry("import_scene.mapstone", "mapstone level")),
    ("TOPBAR_MT_file_export", _entry("export_scene.mapstone", "mapstone level")),
    ("VIEW3D_MT_add", _entry("mapstone.add", "Thing of a Level")),
)


def register() -> None:
    """Called by Blender when the add-on is enabled."""
    for one in _CLASSES:
        bpy.utils.register_class(one)
    words = "Look again a second after each change of the scene"
    bpy.types.Scene.mapstone_live = BoolProperty(name="Live", description=words)
    for menu, entry in _MENUS:
        getattr(bpy.types, menu).append(entry)
    bpy.app.handlers.depsgraph_update_post.append(_note)
    bpy.app.timers.register(_tick, persistent=True)


def unregister() -> None:
    """Called by Blender when it is disabled."""
    bpy.app.timers.unregister(_tick)
    bpy.app.handlers.depsgraph_update_post.remove(_note)
    for menu, entry in _MENUS:
        getattr(bpy.types, menu).remove(entry)
    del bpy.types.Scene.mapstone_live
    for one in reversed(_CLASSES):
        bpy.utils.unregister_class(one)
