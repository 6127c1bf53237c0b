package seq

import "slices"

// Trie is the tree of the k-mers of a sequence: every path from the root has one symbol
// at each step, and every path of k steps is a k-mer that occurs.
type Trie struct {
	K    int
	Root *Node
}

// Node is the end of a path. Count is the number of places of the sequence where a k-mer
// begins with the symbols of the path; at depth k that is how often the k-mer occurs.
type Node struct {
	Symbol   rune // of bytes their value
	Count    int
	Children []*Node // in the order of their symbols
}

// NewTrie inserts the k-mers of the bytes of x one after the other, in O(k·|x|) steps for
// an alphabet of fixed size. A sequence shorter than k has none, and neither has any for
// k < 1.
func NewTrie(x string, k int) *Trie {
	return newTrie(newReader(Bytes).strands(x, false), k)
}

// newTrie inserts the k-mers of every strand that have no symbol outside the alphabet.
func newTrie(strands [][]rune, k int) *Trie {
	t := &Trie{K: k, Root: &Node{}}
	if k < 1 {
		return t
	}
	for _, s := range strands {
		for i := 0; i+k <= len(s); i++ {
			if word := s[i : i+k]; !slices.Contains(word, outside) {
				t.insert(word)
			}
		}
	}
	return t
}

func (t *Trie) insert(word []rune) {
	at := t.Root
	at.Count++
	for _, symbol := range word {
		at = at.step(symbol)
		at.Count++
	}
}

// step returns the child of a symbol, which is made if it is not there.
func (v *Node) step(symbol rune) *Node {
	i, found := v.find(symbol)
	if !found {
		v.Children = slices.Insert(v.Children, i, &Node{Symbol: symbol})
	}
	return v.Children[i]
}

func (v *Node) find(symbol rune) (int, bool) {
	return slices.BinarySearchFunc(v.Children, symbol, func(c *Node, s rune) int { return int(c.Symbol) - int(s) })
}

// Child returns the child of a symbol, or nil.
func (v *Node) Child(symbol rune) *Node {
	if i, found := v.find(symbol); found {
		return v.Children[i]
	}
	return nil
}

// Dot returns Σ over the k-mers u that both tries have of the product of their counts:
// the walk ProcessNode of the lectures goes down to the children in common and adds up
// at the leaves. It visits no more nodes than the smaller trie has.
func (t *Trie) Dot(other *Trie) float64 {
	if t.K != other.K || t.K < 1 {
		return 0
	}
	return process(t.Root, other.Root, t.K)
}

func process(v, w *Node, depth int) float64 {
	if depth == 0 {
		return float64(v.Count) * float64(w.Count)
	}
	sum := 0.0
	for _, child := range v.Children {
		if common := w.Child(child.Symbol); common != nil {
			sum += process(child, common, depth-1)
		}
	}
	return sum
}

// Counts returns the k-mers of a trie of bytes in their order, with their counts: the
// coordinates of the feature map that are not zero.
func (t *Trie) Counts() []Count {
	if t.K < 1 {
		return nil
	}
	var out []Count
	var walk func(v *Node, prefix string)
	walk = func(v *Node, prefix string) {
		if len(prefix) == t.K {
			out = append(out, Count{Word: prefix, Times: v.Count})
		}
		for _, c := range v.Children {
			walk(c, prefix+string([]byte{byte(c.Symbol)}))
		}
	}
	walk(t.Root, "")
	return out
}

// Count is a word and how often it occurs.
type Count struct {
	Word  string
	Times int
}
