package task

import (
	"context"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/data/open"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/node"
	"example.org/mercer/kernel/record"
)

// A kernel on row ids looks its points up by their names: in a Gram matrix on disk,
// gram(file="K.npy"), or among the nodes of a graph, diffusion(graph="net.gml", t=1).

// Files says where the files are read that a kernel on row ids names, where they have
// been moved or renamed; "" stands for the name in the kernel.
type Files struct {
	Gram  string
	Graph string
	// None refuses kernels that name a file which is not given here: a model that comes from
	// elsewhere is not to make this program read what it names.
	None bool
}

// allowed refuses a name in a kernel where no file replaces it.
func (f Files) allowed(name, instead string) error {
	if f.None && instead == "" {
		return fmt.Errorf("the kernel reads the file %s, and no file may be read for it: give the file beside the model", data.Quote(name))
	}
	return nil
}

// onIDs reports whether an expression speaks of Gram matrices or graphs, so that its
// points are row ids.
func onIDs(n expr.Node) bool {
	if n.Op == expr.Call && (n.Name == "gram" || namesGraph(n)) {
		return true
	}
	for _, arg := range n.Args {
		if arg.Kernel != nil && onIDs(*arg.Kernel) {
			return true
		}
	}
	return slices.ContainsFunc(n.Terms, onIDs)
}

// namesGraph reports whether a call is a kernel between nodes: one of their names with a
// text, the name of the graph, among its arguments. walk is also a kernel between graphs,
// whose only text is a label.
func namesGraph(n expr.Node) bool {
	_, known := node.Entries(nil)[n.Name]
	return known && slices.ContainsFunc(n.Args, func(a expr.Arg) bool { return a.Kind == expr.StringArg && a.Name != "label" })
}

// IDLanguage is the language of kernels on row ids. It reads every graph once, so that
// kernels of the same graph share its decompositions.
type IDLanguage struct {
	ctx      context.Context
	files    Files
	networks map[string]*node.Network
	matrices map[string]*gram.Precomputed // in memory: read from no file
	first    []string                     // ids of what was read first
}

func NewIDLanguage(ctx context.Context, files Files) *IDLanguage {
	return &IDLanguage{ctx: ctx, files: files, networks: make(map[string]*node.Network), matrices: make(map[string]*gram.Precomputed)}
}

// dictionary returns gram(file="…") and the kernels between nodes.
func (l *IDLanguage) dictionary() expr.Dictionary[string] {
	kernels := node.Entries(l.network)
	kernels["gram"] = expr.Entry[string]{
		Arguments: []expr.Argument{{Name: "file", Kind: expr.StringArg, Help: "a Gram matrix in .npy, its row ids beside it in .rows.txt, or in LIBSVM's format (svm-train -t 4)"},
			{Name: "holds", Kind: expr.WordArg, Default: holdsInner, Help: "what its elements are: products, ⟨φ(x), φ(z)⟩, or distances d, of which −½d² is the kernel"}},
		Summary: "precomputed Gram matrix or distances, looked up by row id",
		Build:   l.matrix,
	}
	return expr.Dictionary[string]{Kernels: kernels}
}

// What a matrix in a file holds: inner products, or distances.
const (
	holdsInner     = "products"
	holdsDistances = "distances"
)

// matrix returns the kernel of a matrix in a file.
func (l *IDLanguage) matrix(a *expr.Args) (kernel.Kernel[string], error) {
	holds := a.Text("holds", holdsInner)
	if holds != holdsInner && holds != holdsDistances {
		return nil, a.Errorf("holds", "holds=%s is not known: a matrix holds %s or %s", holds, holdsInner, holdsDistances)
	}
	file := a.Text("file", "")
	k, inMemory := l.matrices[file]
	if !inMemory {
		if err := l.files.allowed(file, l.files.Gram); err != nil {
			return nil, a.Errorf("file", "%v", err)
		}
		var err error
		if k, err = ReadGram(orElse(l.files.Gram, file), file); err != nil {
			return nil, a.Errorf("file", "%v", err)
		}
		l.found(k.RowIDs())
	}
	if holds == holdsInner {
		return k, nil
	}
	k, err := k.FromDistances()
	if err != nil {
		return nil, a.Errorf("file", "%v", err)
	}
	return k, nil
}

// network returns the network of a graph.
func (l *IDLanguage) network(name string) (*node.Network, error) {
	if n, ok := l.networks[name]; ok {
		return n, nil
	}
	if err := l.files.allowed(name, l.files.Graph); err != nil {
		return nil, err
	}
	g, err := open.Graph(l.ctx, orElse(l.files.Graph, name), open.Options{Budget: compute.ReadingBudget(0)})
	if err != nil && l.files.Graph == "" {
		return nil, concealed(err)
	} else if err != nil {
		return nil, err
	}
	n, err := node.NewNetwork(name, g)
	if err != nil {
		return nil, err
	}
	l.networks[name] = n
	l.found(g.IDs)
	return n, nil
}

func (l *IDLanguage) found(ids []string) {
	if l.first == nil {
		l.first = ids
	}
}

// notes returns what the graphs have to say.
func (l *IDLanguage) notes() (notes []string) {
	for _, name := range slices.Sorted(maps.Keys(l.networks)) {
		notes = append(notes, l.networks[name].Notes()...)
	}
	return notes
}

// Check compares the graphs that were read with those of the fit.
func (l *IDLanguage) Check(digests map[string]string) error {
	for name, n := range l.networks {
		if want, got := digests[name], digestOf(n); got != want {
			return fmt.Errorf("the graph %s has changed since the model was fitted: its nodes and edges have SHA-256 %.12s…, and the model was fitted with %.12s…; give that file (--graph), or fit again", n.Graph().Source, got, want)
		}
	}
	return nil
}

func digestOf(n *node.Network) string {
	sum := n.Digest()
	return hex.EncodeToString(sum[:])
}

// graphsOf returns the digests of the graphs of a kernel by their names; nil without any.
func graphsOf[T any](k kernel.Kernel[T]) map[string]string {
	on, ok := any(k).(kernel.Kernel[string])
	if !ok {
		return nil
	}
	var digests map[string]string
	for _, part := range nodeKernels(on) {
		if digests == nil {
			digests = make(map[string]string)
		}
		digests[part.Network().Name()] = digestOf(part.Network())
	}
	return digests
}

// build builds a kernel.
func (l *IDLanguage) build(n expr.Node) (kernel.Kernel[string], error) {
	return expr.Build(n, l.dictionary())
}

func orElse(text, fallback string) string {
	if text != "" {
		return text
	}
	return fallback
}

// idKernel builds the kernel of an expression on row ids.
func idKernel(ctx context.Context, parsed Parsed, files Files) (kernel.Kernel[string], *IDLanguage, error) {
	l := NewIDLanguage(ctx, files)
	k, err := l.build(parsed.Node)
	return k, l, err
}

// nodeKernels returns the kernels between nodes that a kernel is made of.
func nodeKernels(k kernel.Kernel[string]) (found []*node.Kernel) {
	switch k := k.(type) {
	case *node.Kernel:
		return []*node.Kernel{k}
	case kernel.Compound[string]:
		for _, part := range k.Parts() {
			found = append(found, nodeKernels(part)...)
		}
	case kernel.Normalized[string]:
		return nodeKernels(k.Of)
	}
	return found
}

// Graph returns the graph that the kernel compares nodes of; nil where it is on other points, or on
// several graphs.
func (p *Task) Graph() *graph.Graph {
	var g *graph.Graph
	p.Points.Visit(Visitor{func(TypedPoints[[]float64]) {}, func(l TypedPoints[string]) { g = GraphOf(l.Kernel) }, func(TypedPoints[record.Record]) {}})
	return g
}

// GraphOf returns the only graph of a kernel between nodes, else nil.
func GraphOf(k kernel.Kernel[string]) (g *graph.Graph) {
	for _, part := range nodeKernels(k) {
		if of := part.Network().Graph(); g == nil {
			g = of
		} else if g != of {
			return nil
		}
	}
	return g
}

// ready does, as long as ctx lasts, what values of kernels between nodes against some number of
// points would wait for.
func ready[T any](ctx context.Context, k kernel.Kernel[T], points int) error {
	on, ok := any(k).(kernel.Kernel[string])
	if !ok {
		return nil
	}
	for _, part := range nodeKernels(on) {
		if err := part.Prepare(ctx, points); err != nil {
			return fmt.Errorf("%s: %w", part, err)
		}
	}
	return nil
}

// freeOnIDs finds the free parameters of an expression on row ids.
func freeOnIDs(n expr.Node) ([]Hyperparameter, error) {
	var found []Hyperparameter
	for _, p := range n.Placeholders() {
		if p.Word != "?" {
			continue
		}
		if p.Kernel == "walk" {
			return nil, fmt.Errorf("walk: %s is not searched: steps are whole numbers and a has a lower bound; name a value", p.Argument)
		}
		found = append(found, Hyperparameter{Placeholder: p, Starts: []float64{1}})
	}
	return found, nil
}

var _ kernel.Kernel[string] = (*gram.Precomputed)(nil)
