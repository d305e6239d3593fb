# SPDX-License-Identifier: MIT
# Written by scripts/python_abi.py from the headers in include/mapstone.
from ctypes import (CFUNCTYPE,
                    POINTER,
                    Structure,
                    c_bool,
                    c_char,
                    c_char_p,
                    c_double,
                    c_float,
                    c_int,
                    c_int16,
                    c_int32,
                    c_int64,
                    c_size_t,
                    c_uint,
                    c_uint16,
                    c_uint32,
                    c_uint64,
                    c_uint8,
                    c_void_p)

# The steps of an iteration, which only the library reads.
_steps = c_uint64 * 4

MST_OK = 0
MST_NO_MEMORY = 1
MST_IO = 2
MST_ARGUMENT = 3
MST_UNKNOWN = 4
MST_DAMAGED = 5
MST_NO_PATH = 6
MST_REFUSED = 7
MST_UNSUPPORTED = 8
MST_STOPPED = 9
MST_INFORMATION = 0
MST_WARNING = 1
MST_ERROR = 2
MST_REASON_NONE = 0
MST_REASON_INPUT_LIMIT = 1
MST_REASON_GROWTH_LIMIT = 2
MST_REASON_MEMORY_LIMIT = 3
MST_REASON_NEAR_NAME = 4
MST_REASON_OTHER_BASE = 5


class mst_diagnostic(Structure):
    _fields_ = [
        ("status", c_int),
        ("severity", c_int),
        ("reason", c_int),
        ("offset", c_uint64),
        ("length", c_uint64),
        ("inner", c_uint64),
        ("packed", c_bool),
        ("file", c_char * 64),
        ("code", c_char * 32),
        ("path", c_char * 400),
        ("expected", c_char * 140),
        ("found", c_char * 80),
        ("message", c_char * 200),
    ]


mst_report_function = CFUNCTYPE(c_int, c_void_p, POINTER(mst_diagnostic))


class mst_allocator(Structure):
    _fields_ = [
        ("resize", CFUNCTYPE(c_void_p, c_void_p, c_void_p, c_size_t, c_size_t)),
        ("user", c_void_p),
    ]


class mst_parallel(Structure):
    _fields_ = [
        ("run", CFUNCTYPE(None, c_void_p, c_size_t, CFUNCTYPE(None, c_void_p, c_size_t), c_void_p)),
        ("user", c_void_p),
    ]


class mst_sink(Structure):
    _fields_ = [
        ("write", CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t)),
        ("user", c_void_p),
    ]


class mst_buffer(Structure):
    _fields_ = [
        ("data", c_void_p),
        ("size", c_size_t),
        ("capacity", c_size_t),
        ("allocator", mst_allocator),
    ]


class mst_file_watch(Structure):
    _fields_ = [
        ("report", CFUNCTYPE(None, c_void_p, c_char_p, c_bool)),
        ("user", c_void_p),
        ("renaming", CFUNCTYPE(None, c_void_p, c_bool)),
    ]


class mst_file_options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("allocator", POINTER(mst_allocator)),
        ("watch", POINTER(mst_file_watch)),
        ("below", c_char_p),
        ("like", c_char_p),
        ("lost", CFUNCTYPE(None, c_void_p, c_char_p, c_char_p)),
        ("user", c_void_p),
    ]


mst_take_sidecar = CFUNCTYPE(c_int, c_void_p, c_char_p, c_void_p, c_size_t)


class mst_resolver(Structure):
    _fields_ = [
        ("find", CFUNCTYPE(c_int, c_void_p, c_char_p, POINTER(c_void_p), POINTER(c_size_t))),
        ("user", c_void_p),
        ("memo", c_void_p),
        ("each", CFUNCTYPE(c_int, c_void_p, c_char_p, c_char_p, mst_take_sidecar, c_void_p)),
    ]


class mst_format_information(Structure):
    _fields_ = [
        ("id", c_char_p),
        ("title", c_char_p),
        ("extensions", c_char_p),
        ("media_type", c_char_p),
        ("versions", c_char_p),
        ("rows", c_char_p),
        ("added_columns", c_char_p),
        ("maps", c_char_p),
        ("editor_unit", c_char_p),
        ("editor_per_metre", c_double),
        ("folder", c_char_p),
    ]


class mst_open_options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("format", c_char_p),
        ("name", c_char_p),
        ("allocator", mst_allocator),
        ("budget", c_size_t),
        ("unmapped", c_bool),
        ("lenient_json", c_bool),
        ("salvage", c_bool),
        ("report", mst_report_function),
        ("report_user", c_void_p),
        ("sidecars", POINTER(mst_resolver)),
    ]
MST_PLACE_MADE = 0
MST_PLACE_FILE = 1
MST_PLACE_PACKED = 2


class mst_place(Structure):
    _fields_ = [
        ("kind", c_int),
        ("file", c_size_t),
        ("offset", c_uint64),
        ("length", c_uint64),
        ("inner", c_uint64),
        ("inner_length", c_uint64),
    ]
MST_TYPE_NONE = 0
MST_TYPE_BOOL = 1
MST_TYPE_INTEGER = 2
MST_TYPE_REAL = 3
MST_TYPE_TEXT = 4
MST_TYPE_BYTES = 5
MST_TYPE_RECORD = 6
MST_TYPE_LIST = 7


class mst_value(Structure):
    _fields_ = [
        ("document", c_void_p),
        ("field", c_void_p),
        ("offset", c_uint64),
        ("end", c_uint64),
        ("first", c_uint64),
        ("count", c_uint64),
        ("shape", c_uint32),
        ("context", c_uint32 * 3),
    ]


class mst_field_information(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("documentation", c_char_p),
        ("unit", c_char_p),
        ("type_name", c_char_p),
    ]


mst_select_function = CFUNCTYPE(c_int, c_void_p, c_char_p, POINTER(mst_value))


class mst_selected(Structure):
    _fields_ = [
        ("count", c_uint64),
        ("lacking", c_uint64),
    ]


class mst_step(Structure):
    _fields_ = [
        ("marks", c_uint64 * 3),
        ("next", c_uint16),
        ("blocks", c_uint16),
        ("part", c_uint8),
        ("sized", c_uint8),
        ("next_case", c_uint8),
    ]


class mst_element_step(Structure):
    _fields_ = [
        ("index", c_uint64),
        ("count", c_uint64),
        ("chunks", c_void_p),
        ("seen", c_uint32),
    ]


class mst_iterator(Structure):
    _fields_ = [
        ("document", c_void_p),
        ("field", c_void_p),
        ("offset", c_uint64),
        ("end", c_uint64),
        ("position", c_uint64),
        ("shape", c_uint32),
        ("context", c_uint32 * 18),
        ("last", c_uint32),
        ("step", _steps),
    ]
MST_F32 = 0
MST_F64 = 1
MST_U8 = 2
MST_I8 = 3
MST_U16 = 4
MST_I16 = 5
MST_U32 = 6
MST_I32 = 7
MST_U64 = 8
MST_I64 = 9


class mst_target(Structure):
    _fields_ = [
        ("type", c_int),
        ("components", c_uint32),
        ("stride", c_size_t),
        ("data", c_void_p),
        ("capacity", c_uint64),
    ]


class mst_json_options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("compact", c_bool),
    ]


class mst_convert_options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("byte_order", c_char_p),
        ("version", c_uint32),
        ("has_version", c_bool),
        ("allow_loss", c_bool),
        ("name", c_char_p),
        ("format", c_char_p),
        ("select", POINTER(c_char_p)),
        ("select_count", c_size_t),
    ]
MST_BYTES_FIELD = 0
MST_BYTES_DERIVED = 1
MST_BYTES_PADDING = 2
MST_BYTES_GAP = 3
MST_BYTES_RAW = 4


class mst_ledger(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("bytes", c_uint64 * 5),
        ("spans", c_uint64),
        ("overlap", c_uint64),
        ("holes", c_uint64),
    ]


class mst_check_options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("schema", c_char_p),
        ("schema_size", c_size_t),
        ("information", c_bool),
        ("sidecars", POINTER(mst_resolver)),
        ("details", c_uint64),
        ("assets", c_bool),
    ]


class mst_check_result(Structure):
    _fields_ = [
        ("errors", c_uint64),
        ("warnings", c_uint64),
        ("information", c_uint64),
    ]


class mst_code_information(Structure):
    _fields_ = [
        ("code", c_char_p),
        ("severity", c_int),
        ("documentation", c_char_p),
    ]


class mst_describe_options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("sidecars", POINTER(mst_resolver)),
    ]
MST_SPECIFICATION_MARKDOWN = 0
MST_SPECIFICATION_HTML = 1
MST_SPECIFICATION_JSON_SCHEMA = 2
MST_SPECIFICATION_KSY = 3
MST_SPECIFICATION_HEXPAT = 4
MST_SPECIFICATION_MAGIC = 5
MST_ASSET_MODEL = 0
MST_ASSET_MATERIAL = 1
MST_ASSET_TEXTURE = 2
MST_ASSET_SHADER = 3
MST_ASSET_ANIMATION = 4
MST_ASSET_PICTURE = 5
MST_ASSET_TABLE = 6
MST_ASSET_FOUND = 0
MST_ASSET_MISSING = 1
MST_ASSET_OUTSIDE = 2
MST_ASSET_UNREADABLE = 3


class mst_asset(Structure):
    _fields_ = [
        ("kind", c_int),
        ("state", c_int),
        ("name", c_char_p),
        ("uses", c_uint64),
        ("path", c_char_p),
        ("document", c_size_t),
        ("by", c_size_t),
        ("file", c_char_p),
        ("bytes", c_void_p),
        ("size", c_size_t),
    ]


class mst_assets(Structure):
    _fields_ = [
        ("items", POINTER(mst_asset)),
        ("count", c_size_t),
    ]


class mst_container_options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("allocator", mst_allocator),
        ("member_limit", c_uint64),
        ("total_limit", c_uint64),
        ("pass_limit", c_uint),
        ("unmapped", c_bool),
        ("report", mst_report_function),
        ("report_user", c_void_p),
    ]


class mst_container_files(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("count", c_size_t),
        ("name", CFUNCTYPE(c_char_p, c_void_p, c_size_t, POINTER(c_uint64))),
        ("read", CFUNCTYPE(c_int, c_void_p, c_size_t, c_uint64, c_void_p, c_size_t)),
        ("user", c_void_p),
    ]


class mst_container_bytes(Structure):
    _fields_ = [
        ("data", c_void_p),
        ("size", c_size_t),
        ("held", c_void_p),
    ]
MST_DIFFERENCE_SET = 0
MST_DIFFERENCE_ADD = 1
MST_DIFFERENCE_REMOVE = 2
MST_DIFFERENCE_MOVE = 3
MST_DIFFERENCE_CONTENT = 0
MST_DIFFERENCE_VIEW = 1
MST_DIFFERENCE_PART = 2
MST_DIFFERENCE_DERIVED = 3
MST_DIFFERENCE_STORAGE = 4


class mst_known_by(Structure):
    _fields_ = [
        ("path", c_char_p),
        ("value", mst_value),
    ]


class mst_difference(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("kind", c_int),
        ("sort", c_int),
        ("list", c_char_p),
        ("old_index", c_uint64),
        ("new_index", c_uint64),
        ("old_element", mst_value),
        ("new_element", mst_value),
        ("known_by", mst_known_by * 8),
        ("known_by_count", c_size_t),
        ("type", c_char_p),
        ("label", c_char_p),
        ("place", c_char_p),
        ("path", c_char_p),
        ("old_value", mst_value),
        ("new_value", mst_value),
        ("item_path", c_char_p),
        ("item", mst_value),
        ("to", c_uint64),
        ("old_count", c_uint64),
        ("new_count", c_uint64),
        ("old_target", mst_value),
        ("new_target", mst_value),
        ("reshapes", c_bool),
        ("moves", c_bool),
        ("is_default", c_bool),
        ("follows", c_bool),
        ("ambiguous", c_bool),
        ("alternative_is_new", c_bool),
        ("alternative", c_uint64),
        ("moves_whole", c_bool),
        ("moved_by", c_double * 3),
        ("along", c_bool),
    ]
MST_FILE_CHANGED = 0
MST_FILE_SAME = 1
MST_FILE_ADDED = 2
MST_FILE_REMOVED = 3
MST_FILE_RENAMED = 4
MST_FILE_UNLIKE = 5
MST_FILE_FAILED = 6


class mst_file_difference(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("change", c_int),
        ("old_name", c_char_p),
        ("new_name", c_char_p),
        ("why", POINTER(mst_diagnostic)),
        ("is_sector", c_bool),
    ]


class mst_moved_between(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("list", c_char_p),
        ("old_name", c_char_p),
        ("new_name", c_char_p),
        ("old_index", c_uint64),
        ("new_index", c_uint64),
    ]


class mst_diff_files(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("old_files", c_void_p),
        ("new_files", c_void_p),
        ("file", CFUNCTYPE(c_int, c_void_p, POINTER(mst_file_difference))),
        ("moved", CFUNCTYPE(c_int, c_void_p, POINTER(mst_moved_between))),
    ]


mst_difference_function = CFUNCTYPE(c_int, c_void_p, POINTER(mst_difference))


class mst_diff_options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("allocator", mst_allocator),
        ("budget", c_size_t),
        ("within_derived", c_bool),
        ("schema", c_char_p),
        ("schema_size", c_size_t),
        ("files", POINTER(mst_diff_files)),
        ("parallel", mst_parallel),
        ("in_place", c_bool),
    ]
MST_OPERATION_SET = 0
MST_OPERATION_INSERT = 1
MST_OPERATION_REMOVE = 2
MST_OPERATION_DUPLICATE = 3
MST_OPERATION_MOVE = 4
MST_OPERATION_MOVE_BY = 5
MST_OPERATION_ROTATE = 6
MST_OPERATION_SCALE = 7
MST_OPERATION_ADD = 8
MST_ASSIGN = 0
MST_ASSIGN_PLUS = 1
MST_ASSIGN_MINUS = 2
MST_ASSIGN_TIMES = 3
MST_ASSIGN_SUBSTITUTE = 4
MST_ASSIGN_OR_ADD = 5
MST_ASSIGN_OVER = 6
MST_ASSIGN_EXPRESSION = 7


class mst_operation(Structure):
    _fields_ = [
        ("kind", c_int),
        ("path", c_char_p),
        ("value", c_char_p),
        ("assignment", c_int),
        ("at", c_char_p),
        ("old", c_char_p),
        ("about", c_char_p),
        ("each", c_bool),
    ]
MST_CHANGE_SET = 0
MST_CHANGE_ADD = 1
MST_CHANGE_REMOVE = 2
MST_CHANGE_MOVE = 3


class mst_edit_change(Structure):
    _fields_ = [
        ("kind", c_int),
        ("path", c_char_p),
        ("old", c_char_p),
        ("now", c_char_p),
    ]


mst_change_function = CFUNCTYPE(c_int, c_void_p, POINTER(mst_edit_change))


class mst_edit_options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("cascade", c_bool),
        ("each", c_bool),
        ("keep_loose", c_bool),
        ("checks", POINTER(mst_check_options)),
        ("force", c_bool),
        ("report", mst_report_function),
        ("user", c_void_p),
        ("change", mst_change_function),
        ("drag", c_bool),
        ("world_texture", c_bool),
        ("allow_loss", c_bool),
        ("growth_limit", c_uint64),
        ("keep_names", c_bool),
        ("keep_references", c_bool),
    ]


class mst_fixed_value(Structure):
    _fields_ = [
        ("code", c_char_p),
        ("path", c_char_p),
        ("old", c_char_p),
        ("now", c_char_p),
    ]


mst_fixed_function = CFUNCTYPE(c_int, c_void_p, POINTER(mst_fixed_value))


class mst_fix_options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("checks", POINTER(mst_check_options)),
        ("wants", CFUNCTYPE(c_bool, c_void_p, c_char_p)),
        ("fixed", mst_fixed_function),
        ("user", c_void_p),
    ]


class mst_new_options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("template_name", c_char_p),
        ("name", c_char_p),
        ("version", c_uint32),
        ("allocator", mst_allocator),
    ]
MST_PIXELS_RGBA8 = 0
MST_PIXELS_INDEXED8 = 1


class mst_pixels(Structure):
    _fields_ = [
        ("width", c_uint32),
        ("height", c_uint32),
        ("format", c_int),
        ("palette_count", c_uint32),
        ("data", c_void_p),
        ("palette", c_void_p),
        ("allocator", mst_allocator),
        ("unfiltered", c_bool),
    ]
MST_EXTRA_TEXT = 0
MST_EXTRA_INTEGER = 1
MST_EXTRA_REAL = 2


class mst_extra(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("kind", c_int),
        ("integer", c_int32),
        ("real", c_double),
        ("text", c_char_p),
    ]


class mst_extras(Structure):
    _fields_ = [
        ("items", POINTER(mst_extra)),
        ("count", c_size_t),
    ]


class mst_scene_source(Structure):
    _fields_ = [
        ("file", c_char_p),
        ("path", c_char_p),
        ("index", c_uint32),
    ]
MST_ROLE_GROUP = 0
MST_ROLE_GEOMETRY = 1
MST_ROLE_COLLISION = 2
MST_ROLE_HELPER = 3
MST_ROLE_ENTITY = 4
MST_ROLE_LIGHT = 5
MST_ROLE_CAMERA = 6
MST_FACING_NONE = 0
MST_FACING_X = 1
MST_FACING_Y = 2
MST_FACING_Z = 3


class mst_node(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("class_name", c_char_p),
        ("layer", c_char_p),
        ("label", c_char_p),
        ("role", c_int),
        ("parent", c_int32),
        ("mesh", c_int32),
        ("light", c_int32),
        ("camera", c_int32),
        ("translation", c_float * 3),
        ("rotation", c_float * 4),
        ("scale", c_float * 3),
        ("extras", mst_extras),
        ("tag", c_char_p),
        ("facing", c_int),
        ("source", mst_scene_source),
        ("skin", c_uint32),
        ("hidden", c_bool),
    ]


class mst_primitive(Structure):
    _fields_ = [
        ("material", c_int32),
        ("vertex_count", c_uint32),
        ("index_count", c_uint32),
        ("positions", POINTER(c_float)),
        ("normals", POINTER(c_float)),
        ("texcoords", POINTER(c_float)),
        ("colors", POINTER(c_float)),
        ("indices", POINTER(c_uint32)),
        ("source", mst_scene_source),
        ("elements", POINTER(c_uint32)),
        ("vertices", POINTER(c_uint32)),
        ("joints", POINTER(c_uint16)),
        ("weights", POINTER(c_float)),
        ("targets", POINTER(c_float)),
        ("target_normals", POINTER(c_float)),
        ("target_count", c_uint32),
    ]


class mst_mesh(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("primitives", POINTER(mst_primitive)),
        ("primitive_count", c_size_t),
    ]


class mst_skin(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("joints", POINTER(c_int32)),
        ("joint_count", c_size_t),
        ("inverse_binds", POINTER(c_float)),
    ]
MST_MOVES = 0
MST_TURNS = 1
MST_SCALES = 2
MST_MORPHS = 3


class mst_channel(Structure):
    _fields_ = [
        ("node", c_int32),
        ("kind", c_int),
        ("value_count", c_uint32),
        ("values", POINTER(c_float)),
    ]


class mst_animation(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("frame_rate", c_float),
        ("frame_count", c_uint32),
        ("channels", POINTER(mst_channel)),
        ("channel_count", c_size_t),
    ]
MST_ALPHA_OPAQUE = 0
MST_ALPHA_MASK = 1
MST_ALPHA_BLEND = 2
MST_WRAP_REPEAT = 0
MST_WRAP_CLAMP = 1
MST_WRAP_MIRROR = 2


class mst_image(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("pixels", mst_pixels),
        ("packed", c_void_p),
        ("placeholder", c_bool),
    ]


class mst_material(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("color", c_float * 4),
        ("image", c_int32),
        ("wrap_s", c_int),
        ("wrap_t", c_int),
        ("nearest", c_bool),
        ("alpha_mode", c_int),
        ("alpha_cutoff", c_float),
        ("double_sided", c_bool),
        ("unlit", c_bool),
        ("extras", mst_extras),
        ("normal_texture", c_uint32),
        ("emissive_texture", c_uint32),
        ("specular_texture", c_uint32),
        ("roughness", c_float),
    ]
MST_LIGHT_POINT = 0
MST_LIGHT_SPOT = 1
MST_LIGHT_DIRECTIONAL = 2


class mst_light(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("kind", c_int),
        ("color", c_float * 3),
        ("intensity", c_float),
        ("range", c_float),
        ("inner_angle", c_float),
        ("outer_angle", c_float),
    ]


class mst_camera(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("vertical_fov", c_float),
        ("near_plane", c_float),
        ("far_plane", c_float),
    ]


class mst_map_key(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("color", c_uint8 * 4),
    ]


class mst_map_face(Structure):
    _fields_ = [
        ("corners", (c_float * 3) * 3),
        ("key", c_uint32),
    ]
MST_MAP_WALL = 0
MST_MAP_LINK = 1


class mst_map_line(Structure):
    _fields_ = [
        ("from", c_float * 3),
        ("to", c_float * 3),
        ("kind", c_int),
    ]


class mst_map(Structure):
    _fields_ = [
        ("keys", POINTER(mst_map_key)),
        ("key_count", c_size_t),
        ("faces", POINTER(mst_map_face)),
        ("face_count", c_size_t),
        ("lines", POINTER(mst_map_line)),
        ("line_count", c_size_t),
    ]
MST_OBJECT_NONE = 0
MST_OBJECT_BODY = 1
MST_OBJECT_PANEL = 2


class mst_scene(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("format", c_char_p),
        ("nodes", POINTER(mst_node)),
        ("node_count", c_size_t),
        ("meshes", POINTER(mst_mesh)),
        ("mesh_count", c_size_t),
        ("materials", POINTER(mst_material)),
        ("material_count", c_size_t),
        ("images", POINTER(mst_image)),
        ("image_count", c_size_t),
        ("lights", POINTER(mst_light)),
        ("light_count", c_size_t),
        ("cameras", POINTER(mst_camera)),
        ("camera_count", c_size_t),
        ("skins", POINTER(mst_skin)),
        ("skin_count", c_size_t),
        ("animations", POINTER(mst_animation)),
        ("animation_count", c_size_t),
        ("extras", mst_extras),
        ("unit_metres", c_double),
        ("grid_step", c_float),
        ("symbolic", c_bool),
        ("map", POINTER(mst_map)),
        ("storeys", POINTER(c_int32)),
        ("storey_count", c_size_t),
        ("pictured", c_bool),
        ("object", c_int),
    ]


class mst_scene_options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("allocator", mst_allocator),
        ("budget", c_size_t),
        ("split_layers", c_bool),
        ("no_markers", c_bool),
        ("sidecars", POINTER(mst_resolver)),
        ("map", c_char_p),
        ("no_assets", c_bool),
        ("no_textures", c_bool),
        ("max_texture", c_uint32),
        ("specular", c_bool),
        ("packed_images", c_bool),
    ]


class mst_scene_choice(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("only", POINTER(c_char_p)),
        ("only_count", c_size_t),
        ("hide", POINTER(c_char_p)),
        ("hide_count", c_size_t),
        ("found", POINTER(c_size_t)),
    ]


class mst_bounds(Structure):
    _fields_ = [
        ("minimum", c_float * 3),
        ("maximum", c_float * 3),
    ]


class mst_gltf_images(Structure):
    _fields_ = [
        ("folder", c_char_p),
        ("write", CFUNCTYPE(c_int, c_void_p, c_char_p, c_void_p, c_size_t)),
        ("user", c_void_p),
    ]


class mst_gltf_options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("max_lights", c_int32),
        ("no_extras", c_bool),
        ("with_hidden", c_bool),
        ("allocator", mst_allocator),
        ("parallel", mst_parallel),
        ("lights_left_out", POINTER(c_size_t)),
        ("no_overview", c_bool),
        ("ceiling_cut", c_float),
        ("no_ceilings", c_bool),
        ("images", POINTER(mst_gltf_images)),
        ("for_editing", c_bool),
        ("polygons", c_bool),
        ("collision", c_bool),
    ]
MST_SCENE_OBJ = 0
MST_SCENE_QUAKE_MAP = 1


class mst_export_options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("format", c_int),
        ("model", POINTER(mst_gltf_options)),
        ("materials", c_char_p),
        ("materials_to", mst_sink),
        ("triangles", c_bool),
        ("own_units", c_bool),
    ]
MST_MEANS_PARTS = 0
MST_MEANS_NUMBER = 1
MST_MEANS_TEXT = 2
MST_MEANS_NAMED = 3
MST_MEANS_FLAGS = 4
MST_MEANS_ELEMENT = 5
MST_MEANS_DERIVED = 6
MST_MEANS_UNKNOWN = 7


class mst_value_facts(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("meaning", c_int),
        ("has_limits", c_bool),
        ("minimum", c_double),
        ("maximum", c_double),
        ("text_limit", c_uint64),
        ("list", c_char_p),
        ("has_none", c_bool),
        ("none", c_int64),
        ("stands", c_bool),
        ("turns", c_bool),
        ("key", c_char_p),
        ("bits", c_bool),
    ]


class mst_reference(Structure):
    _fields_ = [
        ("path", c_char_p),
        ("to", c_char_p),
    ]


mst_reference_function = CFUNCTYPE(c_int, c_void_p, POINTER(mst_reference))


class mst_sprite_image(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("width", c_uint32),
        ("height", c_uint32),
        ("pixels", c_void_p),
        ("opaque", c_uint32),
        ("blended", c_bool),
        ("depths", POINTER(c_int16)),
    ]


class mst_sprite(Structure):
    _fields_ = [
        ("image", c_uint32),
        ("left", c_int32),
        ("top", c_int32),
        ("depth", c_int32),
        ("mirrored", c_uint8),
        ("lit", c_uint8),
        ("flat", c_uint8),
        ("name", c_char_p),
        ("source", mst_scene_source),
    ]


class mst_sprite_label(Structure):
    _fields_ = [
        ("text", c_char_p),
        ("class_name", c_char_p),
        ("x", c_int32),
        ("y", c_int32),
        ("source", mst_scene_source),
    ]


class mst_sprites(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("format", c_char_p),
        ("items", POINTER(mst_sprite)),
        ("count", c_size_t),
        ("lit", c_size_t),
        ("images", POINTER(mst_sprite_image)),
        ("image_count", c_size_t),
        ("labels", POINTER(mst_sprite_label)),
        ("label_count", c_size_t),
        ("left", c_int32),
        ("top", c_int32),
        ("width", c_uint32),
        ("height", c_uint32),
        ("missing_count", c_size_t),
        ("model_count", c_size_t),
        ("untyped_count", c_size_t),
    ]


class mst_sprites_options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("allocator", mst_allocator),
        ("budget", c_size_t),
        ("sidecars", POINTER(mst_resolver)),
        ("no_models", c_bool),
        ("report", mst_report_function),
        ("user", c_void_p),
    ]


class mst_sprites_view(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("left", c_int32),
        ("top", c_int32),
        ("width", c_uint32),
        ("height", c_uint32),
        ("ambient", c_int),
        ("background", c_uint8 * 4),
    ]


class mst_level_options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("allocator", mst_allocator),
        ("budget", c_size_t),
        ("format", c_char_p),
        ("name", c_char_p),
        ("level", c_char_p),
        ("map", c_char_p),
        ("search_paths", POINTER(c_char_p)),
        ("search_path_count", c_size_t),
        ("sidecars", POINTER(mst_resolver)),
        ("container", c_void_p),
        ("guard", CFUNCTYPE(None, c_void_p, c_bool)),
        ("guard_user", c_void_p),
        ("cache", c_void_p),
        ("member_limit", c_uint64),
        ("input_limit", c_uint64),
        ("unmapped", c_bool),
        ("writable", c_bool),
        ("json", c_bool),
        ("lenient_json", c_bool),
        ("salvage", c_bool),
        ("found", c_bool),
        ("single", c_bool),
        ("unopened", c_bool),
        ("unlinked", c_bool),
        ("identified", POINTER(POINTER(mst_format_information))),
        ("identified_size", POINTER(c_uint64)),
        ("report", CFUNCTYPE(c_int, c_void_p, c_char_p, POINTER(mst_diagnostic))),
        ("report_user", c_void_p),
    ]


class mst_entity(Structure):
    _fields_ = [
        ("class_name", c_char_p),
        ("name", c_char_p),
        ("layer", c_char_p),
        ("position", c_float * 3),
        ("rotation", c_float * 4),
        ("world", c_float * 3),
        ("file", c_char_p),
        ("path", c_char_p),
        ("role", c_int),
        ("node", c_size_t),
    ]


class mst_entities(Structure):
    _fields_ = [
        ("items", POINTER(mst_entity)),
        ("count", c_size_t),
    ]


mst_level_report_function = CFUNCTYPE(c_int, c_void_p, c_char_p, POINTER(mst_diagnostic))


class mst_level_file(Structure):
    _fields_ = [
        ("path", c_char_p),
        ("before", c_void_p),
        ("after", c_void_p),
        ("before_size", c_size_t),
        ("after_size", c_size_t),
        ("document_files", c_size_t),
        ("other_names", c_uint),
        ("backup", c_char_p),
        ("replaces_backup", c_bool),
    ]


class mst_level_save_options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("watch", POINTER(mst_file_watch)),
        ("saved", CFUNCTYPE(None, c_void_p, POINTER(mst_level_file))),
        ("user", c_void_p),
        ("backup", c_char_p),
        ("lost", CFUNCTYPE(None, c_void_p, c_char_p, c_char_p)),
    ]


class mst_editing_options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("scene", POINTER(mst_scene_options)),
        ("only", POINTER(c_char_p)),
        ("only_count", c_size_t),
        ("hide", POINTER(c_char_p)),
        ("hide_count", c_size_t),
        ("select", POINTER(c_char_p)),
        ("select_count", c_size_t),
    ]


class mst_import_options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("allocator", mst_allocator),
        ("beside", POINTER(mst_resolver)),
        ("other_base", c_bool),
        ("report", mst_report_function),
        ("user", c_void_p),
        ("onto", c_void_p),
    ]
MST_CONFLICT_VALUE = 0
MST_CONFLICT_REMOVED_BY_OURS = 1
MST_CONFLICT_REMOVED_BY_THEIRS = 2
MST_CONFLICT_NUMBER = 3
MST_CONFLICT_AMBIGUOUS = 4
MST_PREFER_NONE = 0
MST_PREFER_OURS = 1
MST_PREFER_THEIRS = 2


class mst_conflict(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("kind", c_int),
        ("path", c_char_p),
        ("label", c_char_p),
        ("base", c_char_p),
        ("ours", c_char_p),
        ("theirs", c_char_p),
        ("changed", c_char_p),
        ("marked", c_char_p),
        ("file", c_char_p),
        ("decided", c_int),
    ]


mst_conflict_function = CFUNCTYPE(c_int, c_void_p, POINTER(mst_conflict))


class mst_resolution(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("side", c_int),
        ("value", c_char_p),
    ]


class mst_merged_file(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("bytes", c_void_p),
        ("byte_count", c_size_t),
        ("is_ours", c_bool),
    ]


mst_merged_function = CFUNCTYPE(c_int, c_void_p, POINTER(mst_merged_file))


class mst_merge_files(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("ours", c_void_p),
        ("base", c_void_p),
        ("theirs", c_void_p),
        ("take", mst_merged_function),
        ("user", c_void_p),
    ]


class mst_merge_options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("prefer", c_int),
        ("conflict", mst_conflict_function),
        ("user", c_void_p),
        ("checks", POINTER(mst_check_options)),
        ("mark", c_bool),
        ("left_out", CFUNCTYPE(None, c_void_p, c_char_p)),
        ("growth_limit", c_uint64),
        ("memory_limit", c_uint64),
        ("resolve", CFUNCTYPE(c_int, c_void_p, POINTER(mst_conflict), POINTER(mst_resolution))),
        ("files", POINTER(mst_merge_files)),
    ]


class mst_patch_files(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("files", c_void_p),
        ("new_files", c_void_p),
        ("take", mst_merged_function),
        ("user", c_void_p),
    ]


class mst_patch_made(Structure):
    _fields_ = [
        ("operations", c_size_t),
        ("raw_bytes", c_size_t),
        ("packed", c_bool),
        ("one_way", c_bool),
    ]


class mst_patch_options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("allocator", mst_allocator),
        ("with_data", c_bool),
        ("reverse", c_bool),
        ("rejected", mst_conflict_function),
        ("user", c_void_p),
        ("partial", c_bool),
        ("exact", c_bool),
        ("left_out", CFUNCTYPE(None, c_void_p, c_char_p)),
        ("made", POINTER(mst_patch_made)),
        ("plain", c_bool),
        ("growth_limit", c_uint64),
        ("memory_limit", c_uint64),
        ("checks", POINTER(mst_check_options)),
        ("force", c_bool),
        ("found", mst_report_function),
        ("offsets", c_bool),
        ("files", POINTER(mst_patch_files)),
    ]
MST_VIEW_ABOVE = 0
MST_VIEW_OBLIQUE = 1
MST_VIEW_DIMETRIC = 2


class mst_picture_place(Structure):
    _fields_ = [
        ("right", c_double * 3),
        ("down", c_double * 3),
        ("near", c_double * 3),
        ("left", c_double),
        ("top", c_double),
        ("scale", c_double),
        ("width", c_uint32),
        ("height", c_uint32),
    ]


class mst_picture_mark(Structure):
    _fields_ = [
        ("x", c_double),
        ("y", c_double),
        ("node", c_size_t),
    ]


class mst_picture_marks(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("take", CFUNCTYPE(None, c_void_p, POINTER(mst_picture_mark))),
        ("user", c_void_p),
    ]


class mst_picture_options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("view", c_int),
        ("width", c_uint32),
        ("height", c_uint32),
        ("background", c_uint8 * 4),
        ("transparent", c_bool),
        ("layers", POINTER(c_char_p)),
        ("layer_count", c_size_t),
        ("branch", c_size_t),
        ("no_entities", c_bool),
        ("no_legend", c_bool),
        ("no_grid", c_bool),
        ("no_labels", c_bool),
        ("heights", c_bool),
        ("no_links", c_bool),
        ("links", c_bool),
        ("labels", c_bool),
        ("tags", c_bool),
        ("ceiling_cut", c_float),
        ("area", c_float * 4),
        ("yaw", c_float),
        ("pitch", c_float),
        ("lit", c_bool),
        ("place", POINTER(mst_picture_place)),
        ("marks", POINTER(mst_picture_marks)),
    ]


class mst_scene_change(Structure):
    _fields_ = [
        ("old_path", c_char_p),
        ("new_path", c_char_p),
        ("file", c_char_p),
    ]


mst_place_function = CFUNCTYPE(c_int, c_void_p, POINTER(mst_place))


class mst_file_range(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("file", c_size_t),
        ("offset", c_uint64),
        ("length", c_uint64),
        ("packed", c_bool),
        ("packed_at", c_uint64),
    ]


class mst_file_field(Structure):
    _fields_ = [
        ("place", mst_place),
        ("byte_class", c_int),
        ("path", c_char_p),
        ("name", c_char_p),
        ("value", POINTER(mst_value)),
        ("unpacked", c_uint64),
    ]


mst_file_field_function = CFUNCTYPE(c_int, c_void_p, POINTER(mst_file_field))
MST_CELL_INTEGER = 0
MST_CELL_REAL = 1
MST_CELL_TEXT = 2


class mst_table_column(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("type", c_int),
        ("documentation", c_char_p),
        ("has", c_void_p),
        ("integers", POINTER(c_int64)),
        ("reals", POINTER(c_double)),
        ("ends", POINTER(c_uint64)),
        ("bytes", c_void_p),
    ]


class mst_table(Structure):
    _fields_ = [
        ("columns", POINTER(mst_table_column)),
        ("column_count", c_size_t),
        ("row_count", c_size_t),
    ]


class mst_table_options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("where", c_char_p),
        ("columns", POINTER(c_char_p)),
        ("column_count", c_size_t),
    ]


# Results and arguments.
FUNCTIONS = {
    "mst_version": (c_char_p, []),
    "mst_status_text": (c_char_p, [c_int]),
    "mst_diagnostic_text": (c_size_t, [POINTER(mst_diagnostic), c_char_p, c_size_t]),
    "mst_buffer_sink": (mst_sink, [POINTER(mst_buffer)]),
    "mst_buffer_free": (None, [POINTER(mst_buffer)]),
    "mst_file_create": (c_int, [c_char_p, POINTER(mst_file_options), POINTER(c_void_p), POINTER(mst_diagnostic)]),
    "mst_file_sink": (mst_sink, [c_void_p]),
    "mst_file_finish": (c_int, [c_void_p, POINTER(mst_diagnostic)]),
    "mst_file_abandon": (None, [c_void_p]),
    "mst_search_create": (c_int, [POINTER(mst_allocator), POINTER(c_void_p)]),
    "mst_search_add": (c_int, [c_void_p, c_char_p, POINTER(mst_diagnostic)]),
    "mst_search_resolver": (mst_resolver, [c_void_p]),
    "mst_search_free": (None, [c_void_p]),
    "mst_format_count": (c_size_t, []),
    "mst_format_at": (POINTER(mst_format_information), [c_size_t]),
    "mst_identify": (POINTER(mst_format_information), [c_void_p, c_size_t, c_uint64, c_char_p, POINTER(mst_diagnostic)]),
    "mst_open_memory": (c_int, [c_void_p, c_size_t, POINTER(mst_open_options), POINTER(c_void_p), POINTER(mst_diagnostic)]),
    "mst_open_file": (c_int, [c_char_p, POINTER(mst_open_options), POINTER(c_void_p), POINTER(mst_diagnostic)]),
    "mst_open_json": (c_int, [c_char_p, c_size_t, POINTER(mst_open_options), POINTER(c_void_p), POINTER(mst_diagnostic)]),
    "mst_close": (None, [c_void_p]),
    "mst_document_format": (POINTER(mst_format_information), [c_void_p]),
    "mst_document_name": (c_char_p, [c_void_p]),
    "mst_document_version": (c_uint32, [c_void_p]),
    "mst_document_bytes": (c_void_p, [c_void_p, POINTER(c_size_t)]),
    "mst_document_file_count": (c_size_t, [c_void_p]),
    "mst_document_file": (c_void_p, [c_void_p, c_size_t, POINTER(c_char_p), POINTER(c_size_t)]),
    "mst_place_of": (c_int, [c_void_p, c_uint64, c_uint64, POINTER(mst_place)]),
    "mst_place_bytes": (c_void_p, [c_void_p, POINTER(mst_place), POINTER(c_size_t)]),
    "mst_document_memory": (c_size_t, [c_void_p]),
    "mst_root": (mst_value, [c_void_p]),
    "mst_value_type": (c_int, [POINTER(mst_value)]),
    "mst_value_field": (mst_field_information, [POINTER(mst_value)]),
    "mst_value_span": (None, [POINTER(mst_value), POINTER(c_uint64), POINTER(c_uint64)]),
    "mst_find": (c_int, [mst_value, c_char_p, POINTER(mst_value), POINTER(mst_diagnostic)]),
    "mst_is_selector": (c_bool, [c_char_p, c_bool]),
    "mst_select": (c_int, [mst_value, c_char_p, mst_select_function, c_void_p, POINTER(mst_selected), POINTER(mst_diagnostic)]),
    "mst_member": (c_int, [POINTER(mst_value), c_char_p, POINTER(mst_value)]),
    "mst_count": (c_uint64, [POINTER(mst_value)]),
    "mst_element": (c_int, [POINTER(mst_value), c_uint64, POINTER(mst_value)]),
    "mst_iterate": (mst_iterator, [POINTER(mst_value)]),
    "mst_next": (c_bool, [POINTER(mst_iterator), POINTER(mst_value)]),
    "mst_get_integer": (c_int, [POINTER(mst_value), POINTER(c_int64)]),
    "mst_get_unsigned": (c_int, [POINTER(mst_value), POINTER(c_uint64)]),
    "mst_get_real": (c_int, [POINTER(mst_value), POINTER(c_double)]),
    "mst_get_text": (c_int, [POINTER(mst_value), c_char_p, c_size_t, POINTER(c_size_t)]),
    "mst_get_bytes": (c_int, [POINTER(mst_value), POINTER(c_void_p), POINTER(c_size_t)]),
    "mst_get_name": (c_char_p, [POINTER(mst_value)]),
    "mst_get_flags": (c_int, [POINTER(mst_value), c_char_p, c_size_t, POINTER(c_size_t)]),
    "mst_read": (c_int, [POINTER(mst_value), POINTER(mst_target), POINTER(c_uint64), POINTER(mst_diagnostic)]),
    "mst_labels_open": (c_int, [POINTER(c_void_p), c_void_p, c_char_p, c_char_p, POINTER(mst_diagnostic)]),
    "mst_labels_name": (c_char_p, [c_void_p, c_uint64, c_size_t]),
    "mst_labels_close": (None, [c_void_p]),
    "mst_added_column": (c_int, [POINTER(mst_value), c_char_p, POINTER(mst_resolver), c_char_p, c_size_t]),
    "mst_open_content": (c_int, [POINTER(mst_value), POINTER(mst_open_options), POINTER(c_void_p), POINTER(mst_diagnostic)]),
    "mst_set": (c_int, [c_void_p, c_char_p, c_char_p, POINTER(mst_diagnostic)]),
    "mst_remove": (c_int, [c_void_p, c_char_p, POINTER(mst_diagnostic)]),
    "mst_insert": (c_int, [c_void_p, c_char_p, c_char_p, POINTER(mst_diagnostic)]),
    "mst_checksum_path": (c_char_p, [c_void_p]),
    "mst_is_edited": (c_bool, [c_void_p]),
    "mst_save": (c_int, [c_void_p, mst_sink, POINTER(mst_diagnostic)]),
    "mst_save_file": (c_int, [c_void_p, c_char_p, POINTER(mst_diagnostic)]),
    "mst_write_json": (c_int, [POINTER(mst_value), POINTER(mst_json_options), mst_sink, POINTER(mst_diagnostic)]),
    "mst_convert": (c_int, [c_void_p, POINTER(mst_convert_options), mst_report_function, c_void_p, POINTER(c_void_p), POINTER(mst_diagnostic)]),
    "mst_byte_coverage": (c_int, [c_void_p, POINTER(mst_ledger), POINTER(mst_diagnostic)]),
    "mst_check": (c_int, [c_void_p, POINTER(mst_check_options), mst_report_function, c_void_p, POINTER(mst_check_result), POINTER(mst_diagnostic)]),
    "mst_code_at": (POINTER(mst_code_information), [POINTER(mst_format_information), c_size_t]),
    "mst_describe": (c_int, [c_void_p, c_char_p, POINTER(mst_describe_options), mst_sink, POINTER(mst_diagnostic)]),
    "mst_write_specification": (c_int, [POINTER(mst_format_information), c_int, c_char_p, mst_sink]),
    "mst_asset_kind_name": (c_char_p, [c_int]),
    "mst_assets_free": (None, [POINTER(mst_assets)]),
    "mst_container_open": (c_int, [c_char_p, POINTER(mst_container_options), POINTER(c_void_p), POINTER(mst_diagnostic)]),
    "mst_container_open_files": (c_int, [POINTER(mst_container_files), POINTER(mst_container_options), POINTER(c_void_p), POINTER(mst_diagnostic)]),
    "mst_container_open_slices": (c_int, [POINTER(mst_container_files), c_size_t, POINTER(mst_container_options), POINTER(c_void_p), POINTER(mst_diagnostic)]),
    "mst_container_is_archive": (c_bool, [c_void_p, c_size_t]),
    "mst_container_count": (c_size_t, [c_void_p]),
    "mst_container_name": (c_char_p, [c_void_p, c_size_t]),
    "mst_container_size": (c_uint64, [c_void_p, c_size_t]),
    "mst_container_find": (c_size_t, [c_void_p, c_char_p]),
    "mst_container_at": (c_size_t, [c_void_p, c_size_t]),
    "mst_container_read": (c_int, [c_void_p, c_size_t, POINTER(mst_container_bytes), POINTER(mst_diagnostic)]),
    "mst_container_release": (None, [c_void_p, POINTER(mst_container_bytes)]),
    "mst_container_replace": (c_int, [c_void_p, c_size_t, c_void_p, c_size_t, mst_sink, POINTER(mst_diagnostic)]),
    "mst_container_peek": (c_int, [c_void_p, c_size_t, c_void_p, c_size_t, POINTER(c_size_t), POINTER(mst_diagnostic)]),
    "mst_container_resolver": (mst_resolver, [c_void_p]),
    "mst_container_close": (None, [c_void_p]),
    "mst_diff": (c_int, [c_void_p, c_void_p, POINTER(mst_diff_options), mst_difference_function, c_void_p, POINTER(mst_diagnostic)]),
    "mst_operations_read": (c_int, [POINTER(c_void_p), c_char_p, c_size_t, c_bool, POINTER(mst_allocator), POINTER(mst_diagnostic)]),
    "mst_operations_all": (POINTER(mst_operation), [c_void_p, POINTER(c_size_t)]),
    "mst_operations_free": (None, [c_void_p]),
    "mst_edit": (c_int, [c_void_p, POINTER(mst_operation), c_size_t, POINTER(mst_edit_options), POINTER(mst_diagnostic)]),
    "mst_edit_begin": (c_int, [c_void_p, POINTER(mst_edit_options), POINTER(c_void_p), POINTER(mst_diagnostic)]),
    "mst_edit_apply": (c_int, [c_void_p, POINTER(mst_operation), POINTER(mst_diagnostic)]),
    "mst_edit_document": (c_void_p, [c_void_p]),
    "mst_edit_commit": (c_int, [c_void_p, POINTER(mst_diagnostic)]),
    "mst_edit_abort": (None, [c_void_p]),
    "mst_undo_begin": (c_int, [c_void_p, POINTER(c_void_p), POINTER(mst_diagnostic)]),
    "mst_undo_end": (c_int, [c_void_p, c_void_p, POINTER(mst_diagnostic)]),
    "mst_undo_swap": (c_int, [c_void_p, c_void_p, POINTER(mst_diagnostic)]),
    "mst_undo_memory": (c_size_t, [c_void_p]),
    "mst_undo_free": (None, [c_void_p]),
    "mst_paste": (c_int, [c_void_p, c_void_p, POINTER(mst_edit_options), POINTER(mst_diagnostic)]),
    "mst_update_grid": (c_int, [c_void_p, POINTER(mst_diagnostic)]),
    "mst_fix": (c_int, [c_void_p, POINTER(mst_fix_options), POINTER(c_uint64), POINTER(mst_diagnostic)]),
    "mst_template_name": (c_char_p, [POINTER(mst_format_information), c_size_t, POINTER(c_char_p)]),
    "mst_new": (c_int, [c_char_p, POINTER(mst_new_options), POINTER(c_void_p), POINTER(mst_diagnostic)]),
    "mst_pixels_free": (None, [POINTER(mst_pixels)]),
    "mst_pixels_write_png": (c_int, [POINTER(mst_pixels), mst_sink, POINTER(mst_diagnostic)]),
    "mst_pixels_read_png": (c_int, [c_void_p, c_size_t, POINTER(mst_pixels), POINTER(mst_diagnostic)]),
    "mst_scene_from_document": (c_int, [c_void_p, POINTER(mst_scene_options), POINTER(POINTER(mst_scene)), POINTER(mst_diagnostic)]),
    "mst_scene_free": (None, [POINTER(mst_scene)]),
    "mst_scene_choose": (c_int, [POINTER(mst_scene), POINTER(mst_scene_choice), POINTER(mst_diagnostic)]),
    "mst_scene_image_read": (c_int, [POINTER(mst_scene), c_size_t, POINTER(mst_pixels), POINTER(mst_diagnostic)]),
    "mst_scene_source_path": (c_size_t, [POINTER(mst_scene_source), c_char_p, c_size_t]),
    "mst_scene_triangle_source": (mst_scene_source, [POINTER(mst_scene), c_size_t, c_size_t, c_uint32]),
    "mst_scene_bounds": (mst_bounds, [POINTER(mst_scene), c_uint]),
    "mst_scene_write_glb": (c_int, [POINTER(mst_scene), POINTER(mst_gltf_options), mst_sink, POINTER(mst_diagnostic)]),
    "mst_scene_write_gltf": (c_int, [POINTER(mst_scene), POINTER(mst_gltf_options), c_char_p, mst_sink, mst_sink, POINTER(mst_diagnostic)]),
    "mst_scene_export": (c_int, [POINTER(mst_scene), POINTER(mst_export_options), mst_sink, POINTER(mst_diagnostic)]),
    "mst_write_fgd": (c_int, [c_char_p, mst_sink, POINTER(mst_diagnostic)]),
    "mst_value_facts_of": (c_int, [POINTER(mst_value), POINTER(mst_value_facts)]),
    "mst_value_name": (c_char_p, [POINTER(mst_value), c_size_t, POINTER(c_int64), POINTER(c_char_p)]),
    "mst_references": (c_int, [c_void_p, c_char_p, c_bool, mst_reference_function, c_void_p, POINTER(mst_diagnostic)]),
    "mst_image_count": (c_size_t, [c_void_p]),
    "mst_image_levels": (c_size_t, [c_void_p, c_size_t]),
    "mst_image_read": (c_int, [c_void_p, c_size_t, c_size_t, POINTER(mst_resolver), POINTER(mst_pixels), c_char_p, POINTER(mst_diagnostic)]),
    "mst_image_replace": (c_int, [c_void_p, c_size_t, POINTER(mst_resolver), POINTER(mst_pixels), POINTER(mst_diagnostic)]),
    "mst_sprites_free": (None, [POINTER(mst_sprites)]),
    "mst_sprites_draw": (c_int, [POINTER(mst_sprites), POINTER(mst_sprites_view), POINTER(mst_pixels), POINTER(mst_diagnostic)]),
    "mst_sprites_at": (c_size_t, [POINTER(mst_sprites), c_int32, c_int32]),
    "mst_level_open": (c_int, [c_char_p, POINTER(mst_level_options), POINTER(c_void_p), POINTER(mst_diagnostic)]),
    "mst_level_close": (None, [c_void_p]),
    "mst_level_add": (c_int, [c_void_p, c_char_p, POINTER(mst_level_options), POINTER(mst_diagnostic)]),
    "mst_level_list": (c_int, [c_char_p, POINTER(mst_level_options), CFUNCTYPE(c_int, c_void_p, c_char_p, POINTER(mst_format_information)), c_void_p, POINTER(mst_diagnostic)]),
    "mst_level_cache_create": (c_int, [POINTER(mst_allocator), POINTER(c_void_p)]),
    "mst_level_cache_free": (None, [c_void_p]),
    "mst_level_count": (c_size_t, [c_void_p]),
    "mst_level_document": (c_void_p, [c_void_p, c_size_t]),
    "mst_level_path": (c_char_p, [c_void_p, c_size_t]),
    "mst_level_is_salvaged": (c_bool, [c_void_p, c_size_t]),
    "mst_level_find": (c_int, [c_void_p, c_char_p, POINTER(c_void_p), POINTER(mst_diagnostic)]),
    "mst_level_sidecars": (POINTER(mst_resolver), [c_void_p]),
    "mst_level_entities": (c_int, [c_void_p, POINTER(POINTER(mst_entities)), POINTER(mst_diagnostic)]),
    "mst_entities_free": (None, [POINTER(mst_entities)]),
    "mst_level_scene": (c_int, [c_void_p, POINTER(mst_scene_options), POINTER(POINTER(mst_scene)), POINTER(mst_diagnostic)]),
    "mst_level_sprites": (c_int, [c_void_p, POINTER(mst_sprites_options), POINTER(POINTER(mst_sprites)), POINTER(mst_diagnostic)]),
    "mst_level_assets": (c_int, [c_void_p, POINTER(POINTER(mst_assets)), POINTER(mst_diagnostic)]),
    "mst_level_check": (c_int, [c_void_p, POINTER(mst_check_options), mst_level_report_function, c_void_p, POINTER(mst_check_result), POINTER(mst_diagnostic)]),
    "mst_level_save": (c_int, [c_void_p, POINTER(mst_level_save_options), POINTER(mst_diagnostic)]),
    "mst_level_save_as": (c_int, [c_void_p, c_size_t, c_char_p, POINTER(mst_level_save_options), POINTER(mst_diagnostic)]),
    "mst_editing_scene": (c_int, [c_void_p, POINTER(mst_editing_options), POINTER(POINTER(mst_scene)), POINTER(mst_diagnostic)]),
    "mst_import": (c_int, [c_void_p, c_void_p, c_size_t, POINTER(mst_import_options), POINTER(c_void_p), POINTER(mst_diagnostic)]),
    "mst_imported_script": (c_char_p, [c_void_p, c_size_t]),
    "mst_imported_free": (None, [c_void_p]),
    "mst_merge": (c_int, [c_void_p, c_void_p, c_void_p, POINTER(mst_merge_options), POINTER(c_uint64), POINTER(mst_diagnostic)]),
    "mst_patch_make": (c_int, [c_void_p, c_void_p, POINTER(mst_patch_options), mst_sink, POINTER(mst_diagnostic)]),
    "mst_patch_apply": (c_int, [c_void_p, c_char_p, c_size_t, POINTER(mst_patch_options), POINTER(mst_diagnostic)]),
    "mst_scene_draw": (c_int, [POINTER(mst_scene), POINTER(mst_picture_options), POINTER(mst_pixels), POINTER(mst_diagnostic)]),
    "mst_scene_write_png": (c_int, [POINTER(mst_scene), POINTER(mst_picture_options), mst_sink, POINTER(mst_diagnostic)]),
    "mst_scene_write_svg": (c_int, [POINTER(mst_scene), POINTER(mst_picture_options), mst_sink, POINTER(mst_diagnostic)]),
    "mst_scene_draw_changes": (c_int, [POINTER(mst_scene), POINTER(mst_scene), POINTER(mst_scene_change), c_size_t, POINTER(mst_picture_options), POINTER(mst_pixels), POINTER(mst_diagnostic)]),
    "mst_value_places": (c_int, [POINTER(mst_value), mst_place_function, c_void_p]),
    "mst_range_fields": (c_int, [c_void_p, POINTER(mst_file_range), mst_file_field_function, c_void_p, POINTER(mst_diagnostic)]),
    "mst_table_columns": (c_int, [POINTER(mst_format_information), c_char_p, POINTER(POINTER(mst_table)), POINTER(mst_diagnostic)]),
    "mst_level_table": (c_int, [c_void_p, c_char_p, POINTER(mst_table_options), POINTER(POINTER(mst_table)), POINTER(mst_diagnostic)]),
    "mst_table_free": (None, [POINTER(mst_table)]),
}
