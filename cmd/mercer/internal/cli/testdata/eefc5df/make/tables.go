package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// A maker writes tables of random numbers: each has a generator of its own, so that a new
// table changes no other.
type maker struct {
	*rand.Rand
	part  string // "" or "-new"
	lines []string
}

func newMaker(name string) *maker {
	seed := uint64(0)
	for _, c := range name {
		seed = seed*131 + uint64(c)
	}
	return &maker{Rand: rand.New(rand.NewPCG(seed, 0xeefc5df))}
}

func (m *maker) add(format string, args ...any) {
	m.lines = append(m.lines, fmt.Sprintf(format, args...))
}

func (m *maker) String() string { return strings.Join(m.lines, "\n") + "\n" }

// one draws one of some words.
func (m *maker) one(words ...string) string { return words[m.IntN(len(words))] }

// word draws letters.
func (m *maker) word(letters string, length int) string {
	b := make([]byte, length)
	for i := range b {
		b[i] = letters[m.IntN(len(letters))]
	}
	return string(b)
}

// A table of some rows to learn from and some new ones, which have the same columns.
type table struct {
	name, header string
	rows, more   int
	row          func(m *maker, i int)
}

// files returns the table and NAME-new beside it.
func (t table) files(suffix string) map[string]string {
	files := map[string]string{}
	for part, rows := range map[string]int{"": t.rows, "-new": t.more} {
		m := newMaker(t.name + part)
		m.part = part
		if t.header != "" {
			m.add("%s", t.header)
		}
		for i := range rows {
			t.row(m, i)
		}
		files[t.name+part+suffix] = m.String()
	}
	return files
}

var vectors = []table{
	{"numbers", "a,b,c,w,y,z", 24, 6, func(m *maker, i int) {
		a, b, c := m.NormFloat64(), m.NormFloat64(), m.Float64()*4
		y := math.Sin(a) + 0.3*b*b + 0.1*m.NormFloat64()
		m.add("%.3f,%.3f,%.3f,%d,%.3f,%.3f", a, b, c, 1+i%3, y, a*b-c+0.1*m.NormFloat64())
	}},
	{"kinds", "a,b,w,kind", 27, 6, func(m *maker, i int) {
		k := i % 3
		a, b := float64(k)*1.6+m.NormFloat64(), float64(k%2)*1.8+0.8*m.NormFloat64()
		m.add("%.3f,%.3f,%d,%s", a, b, 1+i%2, []string{"lily", "rose", "tulip"}[k])
	}},
	{"sides", "a,b,side", 30, 6, func(m *maker, i int) {
		s := 2*float64(i%2) - 1
		a, b := s*0.9+m.NormFloat64(), s*0.5+m.NormFloat64()
		m.add("%.3f,%.3f,%s", a, b, []string{"heads", "tails"}[i%2])
	}},
	{"numbered", "a,b,label", 24, 6, func(m *maker, i int) {
		k := i % 3
		a, b := float64(k)*1.5+m.NormFloat64(), m.NormFloat64()-float64(k)
		m.add("%.3f,%.3f,%d", a, b, []int{-1, 2, 5}[k])
	}},
	{"people", "age,bmi,color,pet,y", 24, 6, func(m *maker, i int) {
		age, bmi := 20+60*m.Float64(), 18+15*m.Float64()
		cells := []string{fmt.Sprintf("%.0f", age), fmt.Sprintf("%.1f", bmi),
			m.one("red", "green", "blue"), m.one("cat", "dog")}
		if hole := i % 5; hole < 4 && i%2 == 1 {
			cells[hole] = ""
		}
		m.add("%s,%.3f", strings.Join(cells, ","), age/20+bmi/30+0.2*m.NormFloat64())
	}},
	{"flats", "size,age,heat,price", 24, 6, func(m *maker, _ int) {
		size, age, heat := 40+80*m.Float64(), 50*m.Float64(), m.one("gas", "oil", "wood")
		m.add("%.0f,%.0f,%s,%.1f", size, age, heat, 2*size-age+10*m.NormFloat64())
	}},
	{"waves", "x,v,y", 20, 7, func(m *maker, _ int) {
		x := 6 * m.Float64()
		m.add("%.3f,%.3f,%.3f", x, 0.01+0.2*m.Float64(), math.Sin(x)+0.1*m.NormFloat64())
	}},
	{"histograms", "h1,h2,h3,h4,h5,kind", 20, 6, func(m *maker, i int) {
		h := make([]string, 5)
		for j := range h {
			h[j] = fmt.Sprint(m.IntN(4 + 3*(j*(i%2)+(4-j)*(1-i%2))))
		}
		m.add("%s,%s", strings.Join(h, ","), []string{"left", "right"}[i%2])
	}},
	{"bits", manyNames("f", 20) + ",kind", 20, 6, func(m *maker, i int) {
		bit := func(j int) int { return btoi(m.Float64() < 0.2+0.5*float64((j+i)%2)) }
		m.add("%s,%s", many(20, bit), []string{"even", "odd"}[i%2])
	}},
	{"pixels", manyNames("p", 18) + ",kind", 20, 6, func(m *maker, i int) {
		m.add("%s,%s", many(18, func(j int) int { return min(255, m.IntN(120)+135*((j/6+i)%2)) }),
			[]string{"dark", "light"}[i%2])
	}},
}

var texts = []table{
	{"reads", "kind,age,dna", 20, 6, func(m *maker, i int) {
		letters, age := []string{"ACACAG", "TTGGTC"}[i%2], []int{30, 50}[i%2]
		m.add("%s,%d,%s", []string{"a", "b"}[i%2], age+m.IntN(25), m.word(letters, 8+m.IntN(6)))
	}},
	{"proteins", "family,chain", 12, 4, func(m *maker, i int) {
		seed := []string{"MKVLAAGIT", "WYHDERNQP"}[i%2]
		m.add("%s,%s", []string{"f", "g"}[i%2], seed[:5]+m.word("ACDEFGHIKLMNPQRSTVWY", 4)+seed[3:])
	}},
	{"notes", "text,mood", 14, 4, func(m *maker, i int) {
		words := [][]string{
			{"sun", "day", "warm", "to", "be"},
			{"rain", "cold", "night", "to", "be"},
		}[i%2]
		text := make([]string, 5)
		for j := range text {
			text[j] = m.one(words...)
		}
		m.add("%s,%s", strings.Join(text, " "), []string{"good", "bad"}[i%2])
	}},
	{"answers", "x,y,w,kinds,order,line", 24, 6, answerRow},
	{"bags", "kind,points", 14, 5, func(m *maker, i int) {
		var points []string
		for range 1 + m.IntN(4) {
			x, y := float64(i%2)*2+m.NormFloat64(), m.NormFloat64()
			points = append(points, fmt.Sprintf("%.2f %.2f", x, y))
		}
		m.add("%s,%s", []string{"near", "far"}[i%2], strings.Join(points, "; "))
	}},
	{"long", "molecule,kind,x,y,atom", 40, 12, func(m *maker, i int) {
		k := i / 4 % 2
		x, y := 2*float64(k)+m.NormFloat64(), m.NormFloat64()
		m.add("m%d,%s,%.2f,%.2f,%s", i/4, []string{"near", "far"}[k], x, y, m.one("C", "N", "O", "H"))
	}},
	{"named", "name,x,y", 16, 5, func(m *maker, i int) {
		x := 4 * m.Float64()
		m.add("p%02d%s,%.3f,%.3f", i, m.part, x, math.Cos(x))
	}},
}

// answerRow writes a row with a set of labels, a ranking and a sequence.
func answerRow(m *maker, i int) {
	x, y := 4*m.Float64()-2, 4*m.Float64()-2
	var set []string
	for _, label := range []struct {
		name string
		has  bool
	}{{"mild", math.Abs(x) < 1}, {"warm", x-y > 0}, {"wet", y > 0}} {
		if label.has {
			set = append(set, label.name)
		}
	}
	kinds := strings.Join(set, "|")
	if kinds == "" {
		kinds = "{}"
	}
	orders := []string{"ale>corn>bread", "bread>ale>corn", "corn>ale>bread", "bread>corn>ale"}
	order := orders[btoi(x > 0)*2+btoi(y < 0)]
	line := []string{"B B B", "A A A", "B A A"}[btoi(x > y)+btoi(x+y > 0 && x <= y)*2]
	m.add("%.3f,%.3f,%d,%s,%s,%s", x, y, 1+i%2, kinds, order, line)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func many(n int, cell func(j int) int) string {
	cells := make([]string, n)
	for j := range cells {
		cells[j] = fmt.Sprint(cell(j))
	}
	return strings.Join(cells, ",")
}

func manyNames(prefix string, n int) string {
	names := make([]string, n)
	for j := range names {
		names[j] = fmt.Sprint(prefix, j+1)
	}
	return strings.Join(names, ",")
}
