package lab

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	graphs "example.org/mercer/kernel/graph"
)

// graphsScreen compares two graphs by the colours of Weisfeiler and Lehman, round by round.
var graphsScreen = screen("graphs", "Graphs", answerGraphs)

type graphsRequest struct {
	A      drawnGraph `json:"a"`
	B      drawnGraph `json:"b"`
	Rounds int        `json:"rounds"`
}

// drawnGraph has a label for each node, and pairs of nodes counted from 0.
type drawnGraph struct {
	Labels []string `json:"labels"`
	Edges  [][2]int `json:"edges"`
}

// graphsAnswer has the kernel of the two graphs, and the colours of every node in every round, by
// their places among those of the round.
type graphsAnswer struct {
	Value  float64       `json:"value"`
	Cosine float64       `json:"cosine"` // ⟨Φ(a), Φ(b)⟩/(‖Φ(a)‖‖Φ(b)‖)
	Rounds []colourRound `json:"rounds"`
	Says   string        `json:"says"`
}

// colourRound are the colours of a round, and what they add to the kernel.
type colourRound struct {
	A       []int         `json:"a"` // the colour of each node
	B       []int         `json:"b"`
	Colours []colourCount `json:"colours"`
	Adds    int           `json:"adds"`
}

type colourCount struct {
	InA int `json:"in_a"`
	InB int `json:"in_b"`
}

// mostNodes bounds the nodes of a graph, and mostRounds the rounds.
const mostNodes, mostRounds = 200, 10

// graph builds one.
func (g drawnGraph) graph(name string) (*graph.Graph, error) {
	if len(g.Labels) < 1 || len(g.Labels) > mostNodes {
		return nil, invalid("graph %s has %d nodes; there are 1 to %d", name, len(g.Labels), mostNodes)
	}
	ids := make([]string, len(g.Labels))
	for i := range ids {
		ids[i] = strconv.Itoa(i + 1)
	}
	edges := make([]graph.Edge, len(g.Edges))
	for i, e := range g.Edges {
		for _, end := range e {
			if end < 0 || end >= len(ids) {
				return nil, invalid("edge %d of graph %s ends at node %d, and there are %d", i+1, name, end+1, len(ids))
			}
		}
		edges[i] = graph.Edge{From: int32(e[0]), To: int32(e[1])}
	}
	out, err := graph.New(name, false, ids, edges, nil)
	if err != nil {
		return nil, invalid("%v", err)
	}
	out.Nodes = []data.Column{{Name: graphs.DefaultLabel, Kind: data.Text, Strings: g.Labels}}
	return out, nil
}

func answerGraphs(_ context.Context, q graphsRequest, _ compute.Options) (*graphsAnswer, error) {
	if q.Rounds < 0 || q.Rounds > mostRounds {
		return nil, invalid("%d rounds: there are 0 to %d", q.Rounds, mostRounds)
	}
	a, err := q.A.graph("A")
	if err != nil {
		return nil, err
	}
	b, err := q.B.graph("B")
	if err != nil {
		return nil, err
	}
	k, known := graphs.WL{Rounds: q.Rounds}, map[string]string{}
	ofA, err := k.Colours(a, known)
	if err != nil {
		return nil, invalid("%v", err)
	}
	ofB, err := k.Colours(b, known)
	if err != nil {
		return nil, invalid("%v", err)
	}
	out := &graphsAnswer{Value: k.Eval(a, b)}
	if norms := math.Sqrt(k.Eval(a, a) * k.Eval(b, b)); norms > 0 {
		out.Cosine = out.Value / norms
	}
	shared := 0
	for i := range ofA {
		r := newRound(ofA[i], ofB[i])
		for _, c := range r.Colours {
			if c.InA > 0 && c.InB > 0 {
				shared++
			}
		}
		out.Rounds = append(out.Rounds, r)
	}
	out.Says = fmt.Sprintf("%d colours of %d rounds are in both graphs; the kernel is %g, and the cosine %.3g.", shared, len(out.Rounds), out.Value, out.Cosine)
	if out.Value > 0 && slices.Equal(slices.Sorted(slices.Values(ofA[q.Rounds])), slices.Sorted(slices.Values(ofB[q.Rounds]))) {
		out.Says += " The colours are the same in both: so far nothing tells the graphs apart."
	}
	return out, nil
}

// newRound numbers the colours of a round in the order in which they come.
func newRound(a, b []string) colourRound {
	var r colourRound
	place := map[string]int{}
	number := func(colour string) int {
		c, ok := place[colour]
		if !ok {
			c = len(place)
			place[colour] = c
			r.Colours = append(r.Colours, colourCount{})
		}
		return c
	}
	for _, colour := range a {
		c := number(colour)
		r.Colours[c].InA++
		r.A = append(r.A, c)
	}
	for _, colour := range b {
		c := number(colour)
		r.Colours[c].InB++
		r.B = append(r.B, c)
	}
	for _, c := range r.Colours {
		r.Adds += c.InA * c.InB
	}
	return r
}
