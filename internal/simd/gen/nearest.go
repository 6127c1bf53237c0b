package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// quad is how many rows of a matrix are packed together: with the points of two registers
// they make eight sums, as many as hide how long an addition takes.
const quad = 4

// quadLoop multiplies the points of two registers of a panel with four packed rows.
type quadLoop struct {
	isa
	x, rows, offsets reg.Register
	steps            reg.Register
	stride           Op // bytes from coordinate to coordinate
}

// sums returns o_r − Σ_{p<steps} x_p·a_rp, and leaves rows and offsets behind those that it
// has read.
func (q *quadLoop) sums(name string, half int) [quad][2]reg.VecVirtual {
	var sum [quad][2]reg.VecVirtual
	for r := range sum {
		for v := range sum[r] {
			sum[r][v] = q.register()
			q.do(broadcast, at(q.offsets, r*q.size()), sum[r][v])
		}
	}
	ADDQ(I32(quad*q.size()), q.offsets)
	x, left := GP64(), GP64()
	MOVQ(q.x, x)
	MOVQ(q.steps, left)
	loop := label(name, half)
	Label(loop)
	lanes := [2]reg.VecVirtual{q.register(), q.register()}
	for v, r := range lanes {
		q.do(load, at(x, half+v*q.bytes), r)
	}
	for r := range sum {
		a := q.register()
		q.do(broadcast, at(q.rows, r*q.size()), a)
		for v, s := range sum[r] {
			q.do(fnma231, lanes[v], a, s)
		}
	}
	ADDQ(q.stride, x)
	ADDQ(I32(quad*q.size()), q.rows)
	DECQ(left)
	JNZ(LabelRef(loop))
	return sum
}

// nearests writes the search for the nearest of packed centres, and the lengths of
// whitened points.
func nearests() {
	for _, m := range all {
		m.nearest()
	}
	for _, m := range doubles {
		m.whitenedNorms()
	}
}

// nearest writes the loop over groups of four centres. What has been found so far is in
// memory while the sums take the registers.
func (m isa) nearest() {
	m.begin("nearest"+m.name,
		"lowers first[i] to the least of s_ij = o_j − ⟨xᵢ, c_j⟩, second[i] to the least but one, and puts\n"+
			"names[j] of the least, the first of several, into index[i], for the points of a panel of d coordinates\n"+
			"and groups of four centres. far is the largest second[i].",
		fmt.Sprintf("first, second *%[1]s, index *int%[2]d, x, c, o *%[1]s, names *int%[2]d, d, groups int, far *%[1]s", m.number(), 8*m.size()))
	first, second, index := pointer("first"), pointer("second"), pointer("index")
	for half := 0; half < panelBytes; half += 2 * m.bytes {
		q := &quadLoop{isa: m, x: pointer("x"), rows: pointer("c"), offsets: pointer("o"), steps: Load(Param("d"), GP64()), stride: I32(panelBytes)}
		names, groups := pointer("names"), Load(Param("groups"), GP64())
		group := label("group", half)
		Label(group)
		sum := q.sums("coordinate", half)
		for v := range 2 {
			place := half + v*m.bytes
			least1, least2, which := m.register(), m.register(), m.register()
			m.do(load, at(first, place), least1)
			m.do(load, at(second, place), least2)
			m.do(load, at(index, place), which)
			for r := range sum {
				s, t := sum[r][v], m.register()
				m.do(most, s, least1, t)
				m.do(least, t, least2, least2)
				m.replaceWhereLess(s, least1, at(names, r*m.size()), which)
				m.do(least, s, least1, least1)
			}
			m.do(load, least1, at(first, place))
			m.do(load, least2, at(second, place))
			m.do(load, which, at(index, place))
		}
		ADDQ(I32(quad*m.size()), names)
		DECQ(groups)
		JNZ(LabelRef(group))
	}
	m.largest(second, pointer("far"))
	m.end()
}

// largest stores the largest number of a panel.
func (m isa) largest(panel, dst reg.Register) {
	result := m.register()
	m.do(load, at(panel, 0), result)
	for place := m.bytes; place < panelBytes; place += m.bytes {
		m.do(most, at(panel, place), result, result)
	}
	m.do(both(VMOVSS, VMOVSD), m.reduce(most, result), at(dst, 0))
}

// replaceWhereLess puts the whole number at a place into the lanes of dst where x < y.
func (m isa) replaceWhereLess(x, y reg.VecVirtual, from Mem, dst reg.VecVirtual) {
	repeat := both(VPBROADCASTD, VPBROADCASTQ)
	if m.wide() {
		k := K()
		m.do(compare, Imm(less), y, x, k)
		m.do(repeat, from, k, dst)
		return
	}
	mask, value := m.register(), m.register()
	m.do(compare, Imm(less), y, x, mask)
	m.do(repeat, from, value)
	if m.single {
		VBLENDVPS(mask, value, dst, dst)
	} else {
		VBLENDVPD(mask, value, dst, dst)
	}
}

// whitenedNorms writes the loop over lower triangular matrices, of which four rows are
// packed together, without the columns after the last of their diagonals.
func (m isa) whitenedNorms() {
	m.begin("whitenedNorms"+m.name,
		"stores ‖A_j xᵢ − o_j‖² in dst[j*stride+i] for 16 points i, of which x[p*stride+i] are the d coordinates,\n"+
			"and count lower triangular matrices.",
		"dst, x *float64, stride int, a, o *float64, d, count int")
	stride, d := Load(Param("stride"), GP64()), Load(Param("d"), GP64())
	SHLQ(Imm(m.shift()), stride)
	for half := 0; half < panelBytes; half += 2 * m.bytes {
		dst, count := pointer("dst"), Load(Param("count"), GP64())
		q := &quadLoop{isa: m, x: pointer("x"), rows: pointer("a"), offsets: pointer("o"), steps: GP64(), stride: stride}
		matrix, group, whole, last := label("matrix", half), label("group", half), label("whole", half), label("last", half)
		Label(matrix)
		norms := [2]reg.VecVirtual{m.register(), m.register()}
		m.zero(norms[0])
		m.zero(norms[1])
		end := GP64() // the columns of the next rows
		MOVQ(U32(quad), end)
		Label(group)
		MOVQ(end, q.steps)
		CMPQ(end, d)
		JLE(LabelRef(whole))
		MOVQ(d, q.steps)
		Label(whole)
		for _, sum := range q.sums("column", half) {
			for v, s := range sum {
				m.do(fma231, s, s, norms[v])
			}
		}
		CMPQ(end, d)
		JGE(LabelRef(last))
		ADDQ(I32(quad), end)
		JMP(LabelRef(group))
		Label(last)
		for v, s := range norms {
			m.do(load, s, at(dst, half+v*m.bytes))
		}
		ADDQ(stride, dst)
		DECQ(count)
		JNZ(LabelRef(matrix))
	}
	m.end()
}
