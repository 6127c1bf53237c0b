package task

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"example.org/mercer/data"
	cells "example.org/mercer/data/bag"
	cellgraph "example.org/mercer/data/graph"
	"example.org/mercer/data/graph/jsonl"
)

// inventText makes up a text of the letters of some others: each letter is drawn by itself, with
// the share that it has in all of them. Letters, digits and blanks are drawn where there are any,
// because a rare sign may be known to be of one row.
func inventText(like []string, r *rand.Rand) (string, error) {
	var all, common []rune
	length := 0
	for _, text := range like {
		for _, c := range text {
			length++
			all = append(all, c)
			if c < 0x80 && (c == ' ' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z') {
				common = append(common, c)
			}
		}
	}
	if len(common) > 0 {
		all = common
	}
	if len(all) == 0 {
		return "", nil
	}
	var b strings.Builder
	for range max(1, length/len(like)) {
		b.WriteRune(all[r.IntN(len(all))])
	}
	return strings.TrimSpace(b.String()), nil
}

// inventBag makes up a bag of as many elements as others have, each by element of all of theirs.
func inventBag(element func(like []string, r *rand.Rand) (string, error)) func(like []string, r *rand.Rand) (string, error) {
	return func(like []string, r *rand.Rand) (string, error) {
		var all []string
		for _, cell := range like {
			some, err := cells.Split(cell)
			if err != nil {
				return "", err
			}
			all = append(all, some...)
		}
		if len(all) == 0 {
			return cells.Join(nil), nil
		}
		out := make([]string, max(1, len(all)/len(like)))
		for i := range out {
			var err error
			if out[i], err = element(all, r); err != nil {
				return "", err
			}
		}
		return cells.Join(out), nil
	}
}

// inventVectors makes up a bag of vectors: each coordinate is drawn by itself, within the spread
// that it has in the elements of others.
func inventVectors(like []string, r *rand.Rand) (string, error) {
	var all [][]float64
	for _, cell := range like {
		some, err := cells.Vectors(cell)
		if err != nil {
			return "", err
		}
		all = append(all, some...)
	}
	if len(all) == 0 {
		return cells.Join(nil), nil
	}
	rows := make([]string, max(1, len(all)/len(like)))
	for i := range rows {
		numbers := make([]string, len(all[0]))
		for j := range numbers {
			numbers[j] = fmt.Sprintf("%.3g", drawAbout(all, j, r))
		}
		rows[i] = "[" + strings.Join(numbers, ",") + "]"
	}
	return "[" + strings.Join(rows, ",") + "]", nil
}

// drawAbout draws a number within 1½ deviations of the mean of a coordinate, and not below 0
// where none is.
func drawAbout(all [][]float64, j int, r *rand.Rand) float64 {
	mean, square, least := 0.0, 0.0, math.Inf(1)
	for _, x := range all {
		mean += x[j] / float64(len(all))
		least = min(least, x[j])
	}
	for _, x := range all {
		square += (x[j] - mean) * (x[j] - mean) / float64(len(all))
	}
	x := mean + (3*r.Float64()-1.5)*math.Sqrt(square)
	if least >= 0 {
		return math.Abs(x)
	}
	return x
}

// inventGraph makes up a graph of as many nodes and edges as others have, with the attributes
// that they have: their labels are made of the letters of all labels.
func inventGraph(like []string, r *rand.Rand) (string, error) {
	var all []*cellgraph.Graph
	nodes, edges := 0, 0
	for _, cell := range like {
		g, err := jsonl.Parse(cell)
		if err != nil {
			return "", err
		}
		all = append(all, g)
		nodes, edges = nodes+g.Len(), edges+len(g.Edges)
	}
	if len(all) == 0 {
		return "", errors.New("task: there is no graph that a made up one could resemble")
	}
	n := max(2, nodes/len(all))
	var joined []cellgraph.Edge
	for i := 1; i < n; i++ {
		joined = append(joined, cellgraph.Edge{From: int32(r.IntN(i)), To: int32(i)})
	}
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprint(i)
	}
	known := map[[2]int]bool{}
	for _, e := range joined {
		known[[2]int{int(e.From), int(e.To)}] = true
	}
	for tries := 0; len(joined) < edges/len(all) && tries < 4*edges; tries++ {
		i, j := r.IntN(n), r.IntN(n)
		if i, j = min(i, j), max(i, j); i != j && !known[[2]int{i, j}] {
			known[[2]int{i, j}] = true
			joined = append(joined, cellgraph.Edge{From: int32(i), To: int32(j)})
		}
	}
	var weights []float64
	if all[0].Weights != nil {
		weights = make([]float64, len(joined))
		for i := range weights {
			weights[i] = 1
		}
	}
	g, err := cellgraph.New("made up", all[0].Directed, ids, joined, weights)
	if err != nil {
		return "", err
	}
	g.Nodes = inventAttributes(n, all, func(g *cellgraph.Graph) []data.Column { return g.Nodes }, r)
	g.Labels = inventAttributes(len(joined), all, func(g *cellgraph.Graph) []data.Column { return g.Labels }, r)
	return jsonl.Format(g)
}

// inventAttributes makes up the attributes of n nodes or edges.
func inventAttributes(n int, all []*cellgraph.Graph, of func(g *cellgraph.Graph) []data.Column, r *rand.Rand) []data.Column {
	var out []data.Column
	for i, like := range of(all[0]) {
		c := data.Column{Name: like.Name, Kind: like.Kind}
		var numbers [][]float64
		var texts []string
		for _, g := range all {
			if columns := of(g); i < len(columns) && columns[i].Name == c.Name && columns[i].Kind == c.Kind {
				texts = append(texts, columns[i].Strings...)
				for _, x := range columns[i].Numbers {
					numbers = append(numbers, []float64{x})
				}
			}
		}
		for range n {
			if c.Kind == data.Numeric && len(numbers) > 0 {
				c.Numbers = append(c.Numbers, inventNumber(numbers, r))
			} else if c.Kind == data.Numeric {
				c.Numbers = append(c.Numbers, 0)
			} else {
				text, _ := inventText(texts, r) // has no error
				c.Strings = append(c.Strings, text)
			}
		}
		out = append(out, c)
	}
	return out
}

// inventNumber draws a number about the mean of others: whole where all are, as labels are.
func inventNumber(like [][]float64, r *rand.Rand) float64 {
	x := drawAbout(like, 0, r)
	for _, y := range like {
		if y[0] != math.Trunc(y[0]) {
			return math.Round(x*1e3) / 1e3
		}
	}
	return math.Round(x)
}
