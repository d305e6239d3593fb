# SPDX-License-Identifier: MIT
# Levels of the Turok remaster for Kaitai Struct, as complete as a comparison of speed needs: everything in a
# level except the fields of actors, which take few bytes.
meta:
  id: turok_level
  endian: le
seq:
  - id: block_count
    type: u4
  - id: offsets
    type: u4
    repeat: expr
    repeat-expr: block_count + 1
instances:
  version: {pos: 'offsets[0]', type: u4}
  sky: {pos: 'offsets[2]', type: path}
  collision: {pos: 'offsets[3]', size: 'offsets[4] - offsets[3]', type: collision}
  grid: {pos: 'offsets[5]', size: 'offsets[6] - offsets[5]', type: grid}
types:
  path:
    seq:
      - {id: size, type: u4}
      - {id: count, type: u4}
      - {id: text, size: 'count == 0 ? 0 : size', type: str, encoding: ASCII}
  point:
    seq:
      - {id: x, type: f4}
      - {id: y, type: f4}
      - {id: z, type: f4}
  turn:
    seq:
      - {id: x, type: f4}
      - {id: y, type: f4}
      - {id: z, type: f4}
      - {id: w, type: f4}
  vertex:
    seq:
      - {id: position, type: point}
      - {id: ceiling, type: f4}
  sector:
    seq:
      - {id: sector_set, type: u2}
      - {id: flags, type: u2}
      - {id: vertices, type: u2, repeat: expr, repeat-expr: 3}
      - {id: links, type: u2, repeat: expr, repeat-expr: 3}
      - {id: draw_order, type: s2}
  vertices:
    seq:
      - {id: stride, type: u4}
      - {id: count, type: u4}
      - {id: items, type: vertex, repeat: expr, repeat-expr: count}
  sectors:
    seq:
      - {id: stride, type: u4}
      - {id: count, type: u4}
      - {id: items, type: sector, repeat: expr, repeat-expr: count}
  collision:
    seq:
      - {id: block_count, type: u4}
      - {id: offsets, type: u4, repeat: expr, repeat-expr: block_count + 1}
    instances:
      vertices: {pos: 'offsets[0]', type: vertices}
      sectors: {pos: 'offsets[2]', type: sectors}
  mesh:
    seq:
      - {id: origin, type: point}
      - {id: scale, type: point}
      - {id: rotation, type: turn}
      - {id: bounds_min, type: point}
      - {id: bounds_max, type: point}
      - {id: texture, type: s4}
      - {id: flags, type: u4}
      - {id: sector, type: s4}
      - {id: collision_radius, type: f4}
      - {id: collision_height, type: f4}
      - {id: cull_bits, type: s4}
  meshes:
    seq:
      - {id: stride, type: u4}
      - {id: count, type: u4}
      - {id: items, type: mesh, repeat: expr, repeat-expr: count}
  paths:
    seq:
      - {id: block_count, type: u4}
      - {id: offsets, type: u4, repeat: expr, repeat-expr: block_count + 1}
    instances:
      items:
        pos: 'offsets[0]'
        type: padded_path
        repeat: expr
        repeat-expr: block_count
  padded_path:
    seq:
      - {id: path, type: path}
      - {id: padding, size: '(8 - _io.pos % 8) % 8'}
  cell:
    seq:
      - {id: block_count, type: u4}
      - {id: offsets, type: u4, repeat: expr, repeat-expr: block_count + 1, if: block_count != 0}
    instances:
      meshes: {pos: 'offsets[0]', type: meshes, if: block_count != 0}
      paths: {pos: 'offsets[1]', size: 'offsets[2] - offsets[1]', type: paths, if: block_count != 0}
  grid:
    seq:
      - {id: block_count, type: u4}
      - {id: offsets, type: u4, repeat: expr, repeat-expr: block_count + 1}
    instances:
      cells:
        type: cell_at(_index)
        repeat: expr
        repeat-expr: block_count
  cell_at:
    params:
      - {id: index, type: s4}
    instances:
      cell:
        pos: '_parent.offsets[index]'
        size: '_parent.offsets[index + 1] - _parent.offsets[index]'
        type: cell
