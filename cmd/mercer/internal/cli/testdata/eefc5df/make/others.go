package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
)

// Lines of JSON: graphs with labels of nodes, graphs with numbers, rows with bags and sets.
var lines = []table{
	{"molecules", "", 16, 5, func(m *maker, i int) {
		n, ring := 4+m.IntN(4), i%2
		var edges, labels []string
		for v := 1; v < n; v++ {
			edges = append(edges, fmt.Sprintf("[%d,%d]", (v-1)*ring, v))
		}
		if ring == 1 {
			edges = append(edges, fmt.Sprintf("[%d,0]", n-1))
		}
		for range n {
			labels = append(labels, `"`+m.one("C", "C", "N", "O")+`"`)
		}
		m.add(`{"class":"%s","nodes":%d,"edges":[%s],"node":{"label":[%s]}}`,
			[]string{"star", "ring"}[ring], n, strings.Join(edges, ","), strings.Join(labels, ","))
	}},
	{"bent", "", 14, 4, func(m *maker, i int) {
		turn := float64(i % 2)
		near := func(x float64) float64 { return x + 0.1*m.NormFloat64() }
		m.add(`{"class":"%s","nodes":3,"edges":[[0,1],[1,2]],`+
			`"node":{"x":[0,1,%.2f],"y":[0,%.2f,%.2f]},"edge":{"length":[%.2f,%.2f]}}`,
			[]string{"straight", "bent"}[i%2], near(2-turn), near(0), near(turn), near(1), near(1))
	}},
	{"records", "", 14, 4, func(m *maker, i int) {
		var points []string
		for range 1 + m.IntN(3) {
			x, y := 2*float64(i%2)+m.NormFloat64(), m.NormFloat64()
			points = append(points, fmt.Sprintf("[%.2f,%.2f]", x, y))
		}
		m.add(`{"kind":"%s","age":%d,"points":[%s],"tags":["%s","%s"]}`, []string{"a", "b"}[i%2],
			30+20*(i%2)+m.IntN(15), strings.Join(points, ","), m.one("u", "v", "w"), m.one("x", "y", "z"))
	}},
}

// sequences are files of FASTA, one for each class, and new ones.
func sequences() map[string]string {
	files := map[string]string{}
	for _, f := range []struct {
		name, motif string
		count       int
	}{{"bound", "TGACTCA", 9}, {"free", "", 9}, {"new", "TGACTCA", 3}} {
		m := newMaker(f.name)
		for i := range f.count {
			m.add(">%s%d", f.name, i+1)
			m.add("%s", m.word("ACGT", 3)+f.motif+m.word("ACGT", 9-len(f.motif)))
		}
		files[f.name+".fa"] = m.String()
	}
	return files
}

// nodes are a graph of two parts and tables of its nodes.
func nodes() map[string]string {
	m, known, fresh := newMaker("net"), newMaker(""), newMaker("")
	m.add("graph [")
	side := func(v int) string { return []string{"left", "right"}[v/8] }
	known.add("who,side")
	fresh.add("who,side")
	for v := range 16 {
		m.add("  node [ id %d side \"%s\" ]", v+1, side(v))
		to := known
		if v%4 == 2 {
			to = fresh
		}
		to.add("%d,%s", v+1, side(v))
	}
	for v := range 16 {
		for u := range v {
			if v == u+1 || v/8 == u/8 && m.Float64() < 0.3 {
				m.add("  edge [ source %d target %d ]", u+1, v+1)
			}
		}
	}
	m.add("]")
	return map[string]string{"net.gml": m.String(), "nodes.csv": known.String(),
		"nodes-new.csv": fresh.String()}
}

// sparse is a table of LIBSVM.
func sparse() map[string]string {
	files := map[string]string{}
	for name, rows := range map[string]int{"sparse.libsvm": 24, "sparse-new.libsvm": 6} {
		m := newMaker(name)
		for i := range rows {
			line := fmt.Sprint(2*(i%2) - 1)
			for j := 1; j <= 30; j++ {
				if m.Float64() < 0.1 || (j+i)%2 == 0 && m.Float64() < 0.2 || j == 30 {
					line += fmt.Sprintf(" %d:%.2f", j, 0.1+m.Float64())
				}
			}
			m.add("%s", line)
		}
		files[name] = m.String()
	}
	return files
}

// array is a matrix as NumPy writes it.
func array() map[string]string {
	const rows, columns = 12, 3
	header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }",
		rows, columns)
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
	var b bytes.Buffer
	b.WriteString("\x93NUMPY\x01\x00")
	_ = binary.Write(&b, binary.LittleEndian, uint16(len(header)))
	b.WriteString(header)
	m := newMaker("array")
	for range rows * columns {
		_ = binary.Write(&b, binary.LittleEndian, math.Round(1000*m.NormFloat64())/1000)
	}
	return map[string]string{"array.npy": b.String()}
}

// pictures are small images in a folder, and new ones.
func pictures() map[string]string {
	files := map[string]string{}
	for folder, count := range map[string]int{"pictures": 6, "pictures-new": 2} {
		m := newMaker(folder)
		for i := range count {
			img := image.NewRGBA(image.Rect(0, 0, 6, 6))
			for p := range 36 {
				warm := uint8(m.IntN(128) + 127*(i%2))
				img.Set(p%6, p/6, color.RGBA{warm, uint8(m.IntN(256)), 255 - warm, 255})
			}
			var b bytes.Buffer
			_ = png.Encode(&b, img)
			files[fmt.Sprintf("%s/%c.png", folder, 'a'+i)] = b.String()
		}
	}
	return files
}

// ids are the names of rows that are to be forgotten.
func ids() map[string]string {
	return map[string]string{"gone.txt": strings.Join([]string{"p02", "p05"}, "\n") + "\n"}
}
