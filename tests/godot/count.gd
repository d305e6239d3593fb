# SPDX-License-Identifier: MIT
# Counts what Godot made of level.glb: bodies, the triangles of their shapes, and nodes by their class, which the file
# has in its extras (Godot 3 does not keep those): godot3-server --path PROJECT -s count.gd
extends SceneTree

func _init():
	var bodies = 0
	var triangles = 0
	var names = {}
	var left = [load("res://level.glb").instance()]
	while left:
		var node = left.pop_back()
		left += node.get_children()
		names[node.name] = true
		if node is StaticBody:
			bodies += 1
		elif node is CollisionShape:
			triangles += node.shape.get_faces().size() / 3
	var file = File.new()
	file.open("res://level.glb", File.READ)
	file.seek(12)
	var size = file.get_32()
	file.seek(20)
	print("bodies %d, triangles %d" % [bodies, triangles])
	for node in JSON.parse(file.get_buffer(size).get_string_from_utf8()).result.nodes:
		if names.has(node.name) and node.get("extras", {}).has("class"):
			print("class ", node.extras["class"])
	quit()
