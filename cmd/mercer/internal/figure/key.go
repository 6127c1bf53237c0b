package figure

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	keyLine  = vg.Length(16) // height of a line of a key
	keyIcon  = vg.Length(20)
	keySpace = vg.Length(14) // between entries
)

// keyLines breaks a key into lines of entries that fit into a width.
func keyLines(key []entry, width vg.Length) [][]entry {
	style := letters(11)
	var out [][]entry
	room := vg.Length(0)
	for _, e := range key {
		w := keyIcon + 4 + style.Width(e.name) + keySpace
		if w > room {
			out, room = append(out, nil), width
		}
		last := len(out) - 1
		out[last], room = append(out[last], e), room-w
	}
	return out
}

// keyHeight returns the height that a key takes.
func keyHeight(key []entry, width vg.Length) vg.Length {
	if len(key) == 0 {
		return 0
	}
	return vg.Length(len(keyLines(key, width)))*keyLine + 4
}

// drawKey draws the entries from the left to the right, line below line.
func drawKey(c draw.Canvas, key []entry) {
	style := letters(11)
	y := c.Max.Y - keyLine/2 - 2
	for _, line := range keyLines(key, c.Max.X-c.Min.X) {
		total := -keySpace
		for _, e := range line {
			total += keyIcon + 4 + style.Width(e.name) + keySpace
		}
		x := c.Min.X + max(0, (c.Max.X-c.Min.X-total)/2)
		for _, e := range line {
			icon := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: x, Y: y - 5}, Max: vg.Point{X: x + keyIcon, Y: y + 5}}}
			e.icon.Thumbnail(&icon)
			c.FillText(style, vg.Point{X: x + keyIcon + 4, Y: y + 1}, e.name)
			x += keyIcon + 4 + style.Width(e.name) + keySpace
		}
		y -= keyLine
	}
}
