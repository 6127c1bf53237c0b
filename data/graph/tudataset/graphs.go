package tudataset

import (
	"cmp"
	"fmt"
	"slices"

	"example.org/mercer/data/graph"
)

// graphs takes the data set apart.
func (s *set) graphs() ([]*graph.Graph, error) {
	keep, undirected := s.paired()
	if !undirected {
		keep = make([]int32, len(s.edges))
		for e := range keep {
			keep[e] = int32(e)
		}
	}
	nodes := grouped(s.count, len(s.graph), func(v int) int32 { return s.graph[v] })
	edges := grouped(s.count, len(keep), func(k int) int32 { return s.graph[s.edges[keep[k]].From] })
	local := make([]int32, len(s.graph)) // the number of a node in its graph
	out := make([]*graph.Graph, s.count)
	for g := range out {
		for i, v := range nodes[g] {
			local[v] = int32(i)
		}
		lines := make([]int32, len(edges[g]))
		ends, places := make([]graph.Edge, len(lines)), make([]int, len(lines))
		for i, k := range edges[g] {
			e := keep[k]
			lines[i], places[i] = e, s.lines[e]
			ends[i] = graph.Edge{From: local[s.edges[e].From], To: local[s.edges[e].To]}
		}
		made, err := graph.New(fmt.Sprintf("%s: graph %d", s.edgesName, g+1), !undirected, numbered(len(nodes[g])), ends, nil)
		if err != nil {
			return nil, err
		}
		made.EdgeLines = places
		made.Nodes = append(s.nodeLabels.of(nodes[g]), s.nodeValues.of(nodes[g])...)
		made.Labels = append(s.edgeLabels.of(lines), s.edgeValues.of(lines)...)
		out[g] = made
	}
	return out, nil
}

// numbered returns the ids of n nodes, from 0.
func numbered(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprint(i)
	}
	return ids
}

// grouped lists the numbers below n by their group, in ascending order.
func grouped(groups, n int, of func(i int) int32) [][]int32 {
	size := make([]int, groups)
	for i := range n {
		size[of(i)]++
	}
	all, out := make([]int32, n), make([][]int32, groups)
	for g, c := range size {
		out[g], all = all[:0:c], all[c:]
	}
	for i := range n {
		out[of(i)] = append(out[of(i)], int32(i))
	}
	return out
}

// paired reports whether every edge is listed in both directions with the same cells, and
// returns one line of each pair, in the order of the file. A self loop stands for itself.
func (s *set) paired() (keep []int32, ok bool) {
	order := make([]int32, len(s.edges))
	for e := range order {
		order[e] = int32(e)
	}
	low := func(e int32) (int32, int32) {
		return min(s.edges[e].From, s.edges[e].To), max(s.edges[e].From, s.edges[e].To)
	}
	slices.SortFunc(order, func(a, b int32) int { // the lines of one pair of nodes together
		a1, a2 := low(a)
		b1, b2 := low(b)
		return cmp.Or(cmp.Compare(a1, b1), cmp.Compare(a2, b2), cmp.Compare(a, b))
	})
	for from := 0; from < len(order); {
		a, b := low(order[from])
		to := from
		var there, back []int32
		for ; to < len(order); to++ {
			if c, d := low(order[to]); c != a || d != b {
				break
			}
			if e := order[to]; s.edges[e].From == a {
				there = append(there, e)
			} else {
				back = append(back, e)
			}
		}
		from = to
		if a != b && !s.match(there, back) {
			return nil, false
		}
		if len(back) > 0 && back[0] < there[0] {
			there = back
		}
		keep = append(keep, there...)
	}
	slices.Sort(keep)
	return keep, true
}

// match reports whether every edge of one direction has one like it in the other.
func (s *set) match(there, back []int32) bool {
	if len(there) != len(back) {
		return false
	}
	back = slices.Clone(back)
	for _, e := range there {
		at := slices.IndexFunc(back, func(f int32) bool { return s.edgeLabels.alike(e, f) && s.edgeValues.alike(e, f) })
		if at < 0 {
			return false
		}
		back = slices.Delete(back, at, at+1)
	}
	return true
}
