package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"
)

// Graph describes the nodes and edges of a graph: in groups, which have colours, and marks, which
// have shapes; or with numbers, of which the greater are the darker.
type Graph struct {
	Title  string
	X, Y   []float64
	Names  []string // of the nodes; written into them where there are few
	Edges  [][2]int
	Groups []string
	Group  []int // of every node, −1: none
	Marks  []string
	Mark   []int // of every node, −1: none; nil: no marks
	Heat   []float64
	// Shares are numbers of both signs, drawn in two colours as strong as they are large.
	Shares       []float64
	Above, Below string // what the two signs stand for
	Bold         []bool // of every edge, whether it is drawn thick; nil: none is
}

// GraphSheet is a picture of several graphs.
type GraphSheet []Graph

// PNG draws the picture as PNG.
func (g GraphSheet) PNG() ([]byte, error) { return asPNG(g.sheet()) }

// SVG draws the picture as SVG.
func (g GraphSheet) SVG() ([]byte, error) { return asSVG(g.sheet()) }

func (g GraphSheet) sheet() (Sheet, error) {
	out := Sheet{Columns: min(2, len(g)), Width: 12, Height: 9}
	for _, one := range g {
		s, err := one.sheet()
		if err != nil {
			return Sheet{}, err
		}
		out.Panels = append(out.Panels, s.Panels...)
	}
	if len(g) == 1 {
		out.Width, out.Height = 18, 13
	}
	return out, nil
}

// sides are the shapes of marks, see [Node].
var sides = []int{0, 4, 3, -3, 5, 6}

// MaxMarks is the number of marks that can be told apart.
var MaxMarks = len(sides)

// namedNodes is the number of nodes that are large enough to have names.
const namedNodes = 60

// PNG draws the picture as PNG.
func (g Graph) PNG() ([]byte, error) {
	s, err := g.sheet()
	if err != nil {
		return nil, err
	}
	return s.PNG()
}

// SVG draws the picture as SVG.
func (g Graph) SVG() ([]byte, error) {
	s, err := g.sheet()
	if err != nil {
		return nil, err
	}
	return s.SVG()
}

func (g Graph) sheet() (Sheet, error) {
	n := len(g.X)
	switch {
	case n == 0:
		return Sheet{}, fmt.Errorf("figure: there are no nodes to draw")
	case len(g.Y) != n, len(g.Names) != n, g.Group != nil && len(g.Group) != n, g.Mark != nil && len(g.Mark) != n, g.Heat != nil && len(g.Heat) != n, g.Shares != nil && len(g.Shares) != n, g.Bold != nil && len(g.Bold) != len(g.Edges):
		return Sheet{}, fmt.Errorf("figure: %d nodes have %d ordinates, %d names, %d groups, %d marks and %d numbers", n, len(g.Y), len(g.Names), len(g.Group), len(g.Mark), len(g.Heat))
	case len(g.Groups) > maxGroups:
		return Sheet{}, fmt.Errorf("figure: %d groups cannot be told apart; at most %d can", len(g.Groups), maxGroups)
	case len(g.Marks) > MaxMarks:
		return Sheet{}, fmt.Errorf("figure: %d marks cannot be told apart; at most %d can", len(g.Marks), MaxMarks)
	}
	net := Network{Nodes: make([]Node, n)}
	for i, e := range g.Edges {
		net.Links = append(net.Links, Link{From: e[0], To: e[1], Ink: Grey, Thick: g.Bold != nil && g.Bold[i]})
	}
	largest := 0.0
	for _, v := range g.Shares {
		largest = max(largest, math.Abs(v))
	}
	least, most := 0.0, 0.0
	if g.Heat != nil {
		least, most = extent(g.Heat)
	}
	for i := range net.Nodes {
		v := Node{X: g.X[i], Y: g.Y[i], Ink: Grey, Radius: min(9, 55/math.Sqrt(float64(n)))}
		if n <= namedNodes {
			v.Text = g.Names[i]
		}
		if g.Group != nil && g.Group[i] >= 0 {
			v.Ink = Ink(g.Group[i])
		}
		if g.Mark != nil && g.Mark[i] >= 0 {
			v.Corners = sides[g.Mark[i]]
		}
		if g.Heat != nil {
			v.Ink, v.Fill = Grey, warmth(g.Heat[i], least, most)
		}
		if g.Shares != nil {
			v.Ink, v.Fill = Grey, speaks(g.Shares[i], largest)
		}
		net.Nodes[i] = v
	}
	return Sheet{Panels: []Panel{{Title: g.Title, Bare: true, Equal: true, Layers: []Layer{net, key{g, least, most, largest}}}}, Width: 18, Height: 13}, nil
}

// key names the groups, marks and numbers of a graph.
type key struct {
	Graph
	least, most, largest float64
}

func (k key) add(p *panel) error {
	for j, name := range k.Groups {
		if slices.Contains(k.Group, j) {
			p.name(name, Node{Ink: Ink(j)})
		}
	}
	for j, name := range k.Marks {
		if slices.Contains(k.Mark, j) {
			p.name(name, Node{Ink: Black, Corners: sides[j], Share: 1e-9})
		}
	}
	if k.Shares != nil && k.largest > 0 {
		p.name(k.Above, Node{Ink: Grey, Fill: speaks(1, 1)})
		p.name(k.Below, Node{Ink: Grey, Fill: speaks(-1, 1)})
		p.Add(evenBar("", -k.largest, k.largest, func(v float64) color.RGBA { return speaks(v, k.largest) }))
	}
	if k.Heat != nil && k.most > k.least {
		p.Add(evenBar("", k.least, k.most, func(v float64) color.RGBA { return warmth(v, k.least, k.most) }))
	}
	return nil
}

// speaks is the colour of a share: oranges above 0, where the first letters of a picture are
// orange, too, and blues below.
func speaks(v, largest float64) color.RGBA {
	if largest == 0 {
		return diverging(0)
	}
	return diverging(-0.8 * v / largest)
}

// warmth is the colour of a number of a node.
func warmth(v, least, most float64) color.RGBA {
	if most == least {
		return sequential(0.1)
	}
	return sequential(0.9 * (v - least) / (most - least))
}
