/* SPDX-License-Identifier: MIT */
/* Animations of models: their tables, their checks, and the pose that levels show. */
#include "../../../core/text.h"
#include "../../../tables/words.h"
#include "../../present.h"
#include "models.h"
#include <stdio.h>
#include <string.h>

/* context variables; 0 is the version */
enum { R_FRAMES = 1, R_INDICES, R_NODES, R_TRANSLATIONS, R_ROTATIONS, R_EVENTS, R_MARKER };
#define PER(variable)            .mode = MST_COUNT_VARIABLE, .count_variable = (variable)
#define FOR_FRAMES_OF(variable_) .mode = MST_COUNT_PRODUCT, .count_variable = (variable_), .count = R_FRAMES
#define F32S(n)                  F32, FIXED(n)
#define ONE(r)                   .kind = MST_KIND_RECORD, .record = &(r)

#define RECORDS(X) X(animations) X(animation) X(track) X(pose) X(point) X(quaternion) X(event)
enum { RECORDS(RECORD_INDEX) };

static const mst_field point_fields[] = {{.name = "translation", F32S(3), .doc = "x, y, z."}};
RECORD(point, "point", "a place relative to the parent", .is_inline = true);
static const mst_field quaternion_fields[] = {{.name = "rotation", F32S(4), .doc = "x, y, z, w."}};
RECORD(quaternion, "quaternion", "a rotation relative to the parent", .is_inline = true);

static const mst_enum_name no_track[] = {{-1, "none"}};
static const mst_field track_fields[] = {
    {.name = "translation",
     I16,
     NAMES(no_track),
     .doc = "The track that moves the node; without one it keeps its pose."},
    {.name = "rotation", I16, NAMES(no_track), .doc = "The track that turns it."},
};
RECORD(track, "track", "the tracks of a node");

static const mst_field pose_fields[] = {
    {.name = "translation", F32S(3), .doc = "Where the node is, relative to its parent."},
    {.name = "rotation", F32S(4), .doc = "How it is turned: x, y, z, w."},
};
RECORD(pose, "pose", "where a node is that no track moves");

static const mst_field event_fields[] = {
    {.name = "function", I32, .doc = "What happens; the numbers are not known."},
    {.name = "frame", U32, .doc = "In which frame."},
    {.name = "arguments", F32S(4), .doc = "Numbers for it."},
};
RECORD(event, "event", "something that happens in a frame");

static const mst_field animation_fields[] = {
    {.name = "id", I32, .doc = "What the game calls the animation."},
    {.name = "frame_count",
     U32,
     BIND(R_FRAMES),
     .length_of = "yaw_offsets",
     .doc = "Frames, 15 a second.",
     .range = "2 or more"},
    {.name = "index_count", U32, BIND(R_INDICES), .length_of = "tracks", .doc = "One for each node."},
    {.name = "node_count", U32, BIND(R_NODES), .length_of = "poses", .doc = "Nodes of the model."},
    {.name = "translation_count", U32, BIND(R_TRANSLATIONS), .doc = "Tracks that move nodes."},
    {.name = "rotation_count", U32, BIND(R_ROTATIONS), .doc = "Tracks that turn nodes."},
    {.name = "event_count", U32, BIND(R_EVENTS), .length_of = "events", .doc = "Number of events."},
    {.name = "marker", U32, BIND(R_MARKER), .doc = "Not 0: the next two fields follow.", .range = "0 or 1"},
    {.name = "blend", U16, IF(IS_NOT(R_MARKER, 0)), .doc = "Not known; by its name how it is faded in."},
    {.name = "loop_frame",
     U16,
     IF(IS_NOT(R_MARKER, 0)),
     .doc = "Not known; by its name where it repeats from."},
    {.name = "tracks", ONE(track), PER(R_INDICES), .doc = "What moves each node."},
    {.name = "poses", ONE(pose), PER(R_NODES), .doc = "Where each node is that no track moves."},
    {.name = "yaw_offsets", F32, PER(R_FRAMES), .unit = "rad", .doc = "Turns everything in each frame."},
    {.name = "translations",
     ONE(point),
     FOR_FRAMES_OF(R_TRANSLATIONS),
     .doc = "The frames of the first track, then the frames of the next."},
    {.name = "rotations", ONE(quaternion), FOR_FRAMES_OF(R_ROTATIONS), .doc = "In the same order."},
    {.name = "events", ONE(event), PER(R_EVENTS), .doc = "Such as steps and hits."},
};
RECORD(animation, "animation", "movements of the nodes");

static const mst_field animations_fields[] = {
    {.name = "version", U32, .doc = "Always 1."},
    {.name = "animations", LIST(animation), .doc = "The first gives the pose in which levels show actors."},
    {.name = "tail", RAW_TO_END, .flags = MST_FIELD_OMIT_EMPTY, .doc = "Bytes after the last animation."},
};
RECORD(animations, "animations", "the animations of a model");
static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};

static const mst_binding animation_list[] = {
    MST_BINDING(mst_kex_animation, frame_count, "frame_count"),
    MST_BINDING(mst_kex_animation, index_count, "index_count"),
    MST_BINDING(mst_kex_animation, node_count, "node_count"),
    MST_BINDING(mst_kex_animation, translation_count, "translation_count"),
    MST_BINDING(mst_kex_animation, rotation_count, "rotation_count"),
    MST_BINDING(mst_kex_animation, tracks, "tracks"),
    MST_BINDING(mst_kex_animation, poses, "poses"),
    MST_BINDING(mst_kex_animation, translations, "translations"),
    MST_BINDING(mst_kex_animation, rotations, "rotations")};
static const mst_binding track_list[] = {MST_BINDING(mst_kex_track, translation, "translation"),
                                         MST_BINDING(mst_kex_track, rotation, "rotation")};
static const mst_binding pose_list[] = {MST_BINDING(mst_kex_pose, translation, "translation"),
                                        MST_BINDING(mst_kex_pose, rotation, "rotation")};
const mst_bindings mst_kex_animation_bindings = MST_BINDINGS(mst_kex_animation, "animation", animation_list);
const mst_bindings mst_kex_track_bindings = MST_BINDINGS(mst_kex_track, "track", track_list);
const mst_bindings mst_kex_pose_bindings = MST_BINDINGS(mst_kex_pose, "pose", pose_list);
static const mst_bindings *const bindings[] = {&mst_kex_animation_bindings, &mst_kex_track_bindings,
                                               &mst_kex_pose_bindings};

/* ---- the pose ------------------------------------------------------------------------------------ */

/* Reads `count` floats of element `index`, if the list has it. */
static void read_element(const mst_value *list, uint64_t index, void *numbers, uint32_t count) {
    mst_value element;
    uint64_t read = 0;
    if (mst_element(list, index, &element) != MST_OK)
        return;
    mst_target to = {.type = MST_F32, .components = 1, .data = numbers, .capacity = count};
    mst_read(&element, &to, &read, NULL);
}

void mst_kex_first_poses(const mst_document *document, mst_kex_pose *poses, size_t count) {
    mst_value root = mst_root(document), list = mst_member_in(&root, "animations"), first, element;
    mst_bound bound;
    if (mst_element(&list, 0, &first) != MST_OK)
        return;
    mst_kex_animation a;
    memset(&a, 0, sizeof a);
    a.tracks = a.poses = a.translations = a.rotations = mst_nothing_in(&first);
    mst_bind(document, &mst_kex_animation_bindings, &bound);
    mst_fill(&bound, &first, &a);
    mst_bind(document, &mst_kex_pose_bindings, &bound);
    mst_fill_list(&bound, &a.poses, poses, count);
    mst_bind(document, &mst_kex_track_bindings, &bound);
    for (size_t n = 0; n < count && mst_element(&a.tracks, n, &element) == MST_OK; n++) {
        mst_kex_track on = {-1, -1};
        mst_fill(&bound, &element, &on);
        if (on.translation >= 0)
            read_element(&a.translations, (uint64_t)on.translation * a.frame_count, poses[n].translation, 3);
        if (on.rotation >= 0)
            read_element(&a.rotations, (uint64_t)on.rotation * a.frame_count, poses[n].rotation, 4);
    }
}

/* ---- identifying and checking -------------------------------------------------------------------- */

enum { AT_COUNT = 4, AT_FRAMES = 12, AT_INDICES = 16, AT_NODES = 20, HEADER = 40 };

/* Identified by its name, or by a nonempty animation: there is no magic. */
static bool probe(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                  mst_variant *variant) {
    if (size >= 4)
        variant->version = mst_load32(bytes, false);
    if (size < 8 || variant->version > 0xFF)
        return false;
    if (name && mst_text_ends_in(name, strlen(name), "_anim.bin"))
        return true;
    if (size < HEADER || variant->version != 1 || (name && !mst_text_ends_in(name, strlen(name), ".bin")))
        return false;
    uint64_t count = mst_load32(bytes + AT_COUNT, false), frames = mst_load32(bytes + AT_FRAMES, false),
             nodes = mst_load32(bytes + AT_NODES, false);
    return count && count <= UINT16_MAX && frames >= 2 && frames <= UINT16_MAX && nodes &&
           nodes <= UINT16_MAX && mst_load32(bytes + AT_INDICES, false) == nodes &&
           HEADER + (count - 1) * 32 + nodes * 32 + frames * 4 <= file_size + 8;
}

static bool version_known(uint32_t version) {
    return version == 1;
}

static const mst_code_information codes[] = {
    {"KEX-TRUNCATED", MST_ERROR, "a field extends past the end of the file"},
    {"KEX-COUNT", MST_ERROR, "a count is too large for the remaining bytes"},
    {"KEX-VERSION", MST_ERROR, "the version is not 1"},
    {"KEX-ANIM-INDEX", MST_ERROR, "the track does not exist: the node keeps its pose"},
    {"KEX-TAIL", MST_WARNING, "bytes follow the end; they are kept unchanged"},
    {"KEX-NONFINITE", MST_WARNING, "the number is not finite and cannot be used as a position: set another"},
    {"KEX-FRAMES", MST_WARNING, "the animation has fewer than 2 frames"},
    {"KEX-ANIM-NODES", MST_WARNING, "the number of poses differs from the number of nodes with tracks"},
};

static mst_status check_track(mst_checker *checker, const mst_kex_animation *a, const mst_value *element,
                              uint64_t in, uint64_t index) {
    mst_bound bound;
    mst_kex_track on = {-1, -1};
    mst_bind(checker->document, &mst_kex_track_bindings, &bound);
    mst_fill(&bound, element, &on);
    const struct {
        const char *name;
        int32_t number;
        uint32_t count;
    } both[] = {{"translation", on.translation, a->translation_count},
                {"rotation", on.rotation, a->rotation_count}};
    for (size_t i = 0; i < MST_COUNT_OF(both); i++) {
        if (both[i].number == -1 || (both[i].number >= 0 && (uint32_t)both[i].number < both[i].count))
            continue;
        mst_value member = mst_member_in(element, both[i].name);
        mst_finding_of(checker, &member, "animations[%llu].tracks[%llu].%s", (unsigned long long)in,
                       (unsigned long long)index, both[i].name);
        char expected[40];
        snprintf(expected, sizeof expected, "-1, or below %u", both[i].count);
        mst_status status = mst_report(checker, "KEX-ANIM-INDEX", expected, "%d", both[i].number);
        if (status != MST_OK)
            return status;
    }
    return MST_OK;
}

static mst_status check_animation(mst_checker *checker, const mst_bound *bound, const mst_value *record,
                                  uint64_t index) {
    mst_kex_animation a;
    mst_value element;
    memset(&a, 0, sizeof a);
    a.tracks = mst_nothing_in(record);
    mst_fill(bound, record, &a);
    if (a.frame_count < 2) {
        mst_value member = mst_member_in(record, "frame_count");
        mst_finding_of(checker, &member, "animations[%llu].frame_count", (unsigned long long)index);
        mst_status status = mst_report(checker, "KEX-FRAMES", "at least 2", "%u", a.frame_count);
        if (status != MST_OK)
            return status;
    }
    if (a.index_count != a.node_count) {
        mst_value member = mst_member_in(record, "node_count");
        char expected[16];
        snprintf(expected, sizeof expected, "%u", a.index_count);
        mst_finding_of(checker, &member, "animations[%llu].node_count", (unsigned long long)index);
        mst_status status = mst_report(checker, "KEX-ANIM-NODES", expected, "%u", a.node_count);
        if (status != MST_OK)
            return status;
    }
    mst_status status = MST_OK;
    uint64_t number = 0;
    for (mst_iterator it = mst_iterate(&a.tracks); status == MST_OK && mst_next(&it, &element); number++)
        status = check_track(checker, &a, &element, index, number);
    return status;
}

static mst_status check(mst_checker *checker) {
    mst_value root = mst_root(checker->document), list = mst_member_in(&root, "animations"), record;
    mst_value tail = mst_member_in(&root, "tail");
    mst_status status = MST_OK;
    mst_bound bound;
    uint64_t index = 0;
    mst_bind(checker->document, &mst_kex_animation_bindings, &bound);
    for (mst_iterator it = mst_iterate(&list); status == MST_OK && mst_next(&it, &record); index++)
        status = check_animation(checker, &bound, &record, index);
    if (status == MST_OK && tail.offset < tail.end) {
        mst_finding_of(checker, &tail, "tail");
        status = mst_checker_report(checker, "KEX-TAIL");
    }
    return status;
}

const mst_format mst_format_turok_animation = {
    .information = {.id = "turok-animation",
                    .title = "Turok remaster animations",
                    .extensions = ".bin",
                    .media_type = "",
                    .versions = "1",
                    .rows = "animations"},
    .tables.root = &animations,
    .tables.records = records,
    .tables.record_count = MST_COUNT_OF(records),
    .tables.bindings = bindings,
    .tables.bindings_count = MST_COUNT_OF(bindings),
    .identity.version_field = "version",
    .identity.version = 1,
    .identity.probe = probe,
    .identity.version_known = version_known,
    .check.problem_codes = {[MST_PROBLEM_MAGIC] = "KEX-VERSION",
                            [MST_PROBLEM_VERSION] = "KEX-VERSION",
                            [MST_PROBLEM_OVERRUN] = "KEX-TRUNCATED",
                            [MST_PROBLEM_STRING] = "KEX-TRUNCATED",
                            [MST_PROBLEM_COUNT] = "KEX-COUNT",
                            [MST_PROBLEM_TRAILING] = "KEX-TAIL"},
    .check.codes = &(const mst_codes)MST_CODES(codes),
    .check.dangling = MST_DANGLING("KEX-ANIM-NODES"),
    .check.nonfinite_code = "KEX-NONFINITE",
    .check.check = check,
    .tables.introduction = "The animations of a model of the Turok remaster, as in `anims/*_anim.bin`. "
                           "Little-endian, packed. 15 frames a second.\n\n"
                           "A node is placed by its tracks, or else as in its pose, relative to its parent: "
                           "a point p is at t + q p q*, up the tree. Levels show\n"
                           "actors as in the first frame of the first animation. An animation with the name "
                           "`_morph` moves vertices instead.\n",
    .tables.relations =
        "- An actor of a level ([`turok-map`](turok-map.md)) names the animations of its model "
        "([`turok-model`](turok-model.md)); node i of an animation is node i of the model.\n",
    .tables.listed =
        MST_LISTED({"animation", "translations", "refused: there are `translation_count` times `frame_count`",
                    "turok-models.md 4"},
                   {"animation", "rotations", "refused: there are `rotation_count` times `frame_count`",
                    "turok-models.md 4"}),
    .tables.sources = "- The readers and writers of a published Blender add-on; no real file was measured.\n",
};
