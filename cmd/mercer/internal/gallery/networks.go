package gallery

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/filters"
	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/ckn"
	"example.org/mercer/kernel/deep"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/rkhs/gradients"
	"example.org/mercer/supervised/dkl"
)

var networkFigures = []Figure{
	{Name: "depth", Title: "Kernels of infinitely wide networks, by their depth", Formula: "k(x, y) = κ_L(θ),  κ₁(θ) = (sin θ + (π − θ) cos θ)/π,  κ_L = κ₁ ∘ arccos κ_L₋₁",
		draw:     drawDepth,
		Commands: []string{"mercer fit krr train.csv --target y --kernel 'arccos(order=1, depth=4)'", "mercer fit svc train.csv --target kind --kernel 'ntk(depth=3)'"},
		See:      "Points on a circle, θ apart. Every layer of rectifiers brings directions nearer to one another, so that a deep arc-cosine kernel is flat. With erf opposite points stay opposite. The kernel of training, ntk, keeps its peak at θ = 0."},
	{Name: "spirals", Title: "A deep kernel unfolds two spirals", Formula: "k(x, y) = exp(−‖φ(x) − φ(y)‖²/(2σ²)),  φ a network", Takes: Classes,
		draw:     drawSpirals,
		Commands: []string{"mercer fit svc points.csv --target label --kernel 'deep(of=rbf(sigma=median), widths=[32, 2])' -o spirals.mercer"},
		See:      "On the left the points, in the middle their images under the first network, which the seed has drawn. On the right are those under the network that the evidence has learned: the classes have come apart."},
	{Name: "filters", Title: "Filters of a convolutional kernel network", Formula: "ψ(x) = (κ(ZᵀZ) + ε)^(−½) κ(Zᵀx),  ‖z‖ = 1,  κ(u) = exp((u − 1)/σ²)",
		draw:     drawFilters,
		Commands: []string{"mercer fit svc images.csv --target digit --kernel 'ckn(shape=[16, 16, 1], patch=[5, 3], pool=[2, 4], sigma=[0.6, 0.6])' --filters 64,256"},
		See:      "The filters are centres of k-means on patches of the digits, each of norm 1: edges, ends and corners of strokes in all directions. Below, the filters of patches less their mean."},
	{Name: "kept", Title: "What each layer of a convolutional kernel network keeps of an image", Formula: "min over W of Σᵢ ‖xᵢ − WΦ_l(xᵢ)‖² + nλ‖W‖²,  x ≈ WΦ_l(x)",
		draw:     drawKept,
		Commands: []string{"mercer fit krr images.csv --target 'p*' --kernel 'ckn(shape=[16, 16, 1], patch=[5, 3, 3], pool=[2, 2, 2], sigma=[0.6, 0.6, 0.6])' --filters 32,32,32"},
		See:      "Digits that were not learned from, and what ridge regression finds of their pixels in the features of each layer, of which the row has the number. The first layer, pooled by 2, keeps every stroke. Each further one halves the map, and keeps the shape better than the place of its edges."},
	{Name: "stability", Title: "What translation and rotation do to the features of an image", Formula: "‖Φ(x) − Φ(T_c x)‖ / ‖Φ(x)‖,  T_c x(u) = x(u − c)",
		draw:     drawStability,
		Commands: []string{"mercer gram images.csv --kernel 'ckn(shape=[16, 16, 1], patch=[5, 3], pool=[2, 4], sigma=[0.6, 0.6])' --drop label --plot gram.png"},
		See:      "Means over digits. A shift by two pixels is another image to the linear kernel. Pooling makes the features of a convolutional kernel network move little, under rotation as well, and with a second layer even less under shifts."},
}

// drawDepth shows kernels on a circle as functions of the angle.
func drawDepth(context.Context, *figureContext) (figure.Picture, error) {
	angles := linspace(0, math.Pi, 181)
	out := figure.Sheet{Width: 9, Height: 8}
	for _, of := range []struct {
		title string
		at    func(depth int) vec.Kernel
	}{
		{"arccos(order=1)", func(depth int) vec.Kernel { return vec.Arccos{Order: 1, Depth: depth} }},
		{"nngp, erf", func(depth int) vec.Kernel { return vec.Network{Depth: depth, Activation: "erf"} }},
		{"ntk, relu", func(depth int) vec.Kernel { return vec.Network{Depth: depth, Tangent: true} }},
	} {
		panel := figure.Panel{Title: of.title, X: "angle θ in degrees", Y: "k(x, y)/k(x, x)", Layers: []figure.Layer{figure.Lattice{}}}
		for i, depth := range []int{1, 2, 4, 8} {
			k := of.at(depth)
			from := []float64{1, 0}
			line := figure.Line{Name: fmt.Sprintf("depth %d", depth), Ink: figure.Ink(i), Dashed: i%2 == 1}
			for _, angle := range angles {
				line.X = append(line.X, angle*180/math.Pi)
				line.Y = append(line.Y, k.Eval(from, []float64{math.Cos(angle), math.Sin(angle)})/k.Eval(from, from))
			}
			panel.Layers = append(panel.Layers, line)
		}
		out.Panels = append(out.Panels, panel)
	}
	return out, nil
}

// spirals are two arms around the origin, each a class.
func spirals(r *random) *Points {
	p := plane("two spirals", []string{"arm 1", "arm 2"})
	for i := range 240 {
		at := 0.4 + 2.6*math.Sqrt(r.Float64())
		angle := 2.2*at + math.Pi*float64(i%2)
		p.put(i%2, at*math.Cos(angle)+0.06*r.NormFloat64(), at*math.Sin(angle)+0.06*r.NormFloat64())
	}
	return p
}

// drawSpirals shows points, and their images before and after learning.
func drawSpirals(ctx context.Context, s *figureContext) (figure.Picture, error) {
	p := s.points(spirals)
	of := vec.RBF{Sigma: 1}
	k, err := deep.NewKernel(of, []int{32, 2}, deep.Tanh, nil, s.Seed+2)
	if err != nil {
		return nil, err
	}
	form, _ := vec.RadialSlope(of)
	codes := mat.NewDense(p.X.Len(), len(p.Named), nil)
	for i, label := range p.Labels {
		codes.Set(i, label, 1)
	}
	learned, report, err := dkl.Learn(ctx, k, gradients.Radial(form), p.X, codes, dkl.Options{Lambda: 1e-3, Steps: 300, Patience: 100, Compute: s.Compute})
	if err != nil {
		return nil, fmt.Errorf("gallery: %s: %w", p.Source, err)
	}
	out := figure.Sheet{Panels: []figure.Panel{p.axes("the points", classDots(p.X, p.Labels, p.Named)...)}, Width: 9, Height: 9}
	for _, n := range []struct {
		title string
		deep.Network
	}{{"the first network", k.Started(p.X)}, {fmt.Sprintf("after %d steps", report.Best), learned.Network}} {
		images, err := n.FastImages(ctx, p.X, s.Compute.WorkerCount())
		if err != nil {
			return nil, err
		}
		out.Panels = append(out.Panels, figure.Panel{Title: n.title, X: "φ₁(x)", Y: "φ₂(x)", Layers: classDots(images, p.Labels, p.Named)})
	}
	return out, nil
}

// convolutional returns the kernel of a convolutional network on digits, with patches of five
// pixels, and of three where there is a second layer.
func convolutional(input ckn.Input, pools ...int) (ckn.Kernel, error) {
	o := ckn.Options{Shape: [3]int{digitSide, digitSide, 1}, Input: input}
	for i, pool := range pools {
		o.Layers = append(o.Layers, ckn.Layer{Patch: 5 - 2*i, Pool: pool, Sigma: 0.6})
	}
	return ckn.New(o)
}

// drawFilters shows those that digits have.
func drawFilters(ctx context.Context, s *figureContext) (figure.Picture, error) {
	d, err := s.digits(ctx)
	if err != nil {
		return nil, err
	}
	const count, columns, side = 24, 12, 5
	out := figure.Digits{Title: "24 filters of 5 × 5 pixels", Width: side, Height: side, White: -0.5, Black: 0.5}
	for _, of := range []struct {
		name  string
		input ckn.Input
	}{{"raw patches", ckn.Raw}, {"centred patches", ckn.Centred}} {
		k, err := convolutional(of.input, 2)
		if err != nil {
			return nil, err
		}
		learned, err := filters.Learn(ctx, k, d.train, filters.Options{Filters: []int{count}, Patches: 20_000, Seed: s.Seed, Compute: s.Compute})
		if err != nil {
			return nil, err
		}
		z := learned.FiltersOf(0)
		for from := 0; from < count; from += columns {
			row := figure.DigitRow{}
			if from == 0 {
				row.Name = of.name
			}
			for i := range columns {
				row.Images = append(row.Images, mat.Row(nil, from+i, z))
			}
			out.Rows = append(out.Rows, row)
		}
	}
	return out, nil
}

// drawStability shows how far features move with an image.
func drawStability(ctx context.Context, s *figureContext) (figure.Picture, error) {
	d, err := s.digits(ctx)
	if err != nil {
		return nil, err
	}
	shallow, err := convolutional(ckn.Raw, 4)
	if err != nil {
		return nil, err
	}
	deeper, err := convolutional(ckn.Raw, 2, 4)
	if err != nil {
		return nil, err
	}
	kernels := []struct {
		name string
		kernel.Kernel[[]float64]
	}{{"linear", vec.Linear{}}, {"rbf, σ = 8", vec.RBF{Sigma: 8}}, {"ckn, one layer, pooled by 4", shallow}, {"ckn, two layers, pooled by 2 and 4", deeper}}
	out := figure.Sheet{Width: 11, Height: 9}
	for _, of := range []struct {
		title, x string
		by       []float64
		move     func(image []float64, by float64) []float64
	}{
		{"translation", "shift in pixels", linspace(0, 4, 9), func(image []float64, by float64) []float64 { return moved(image, by, 0) }},
		{"rotation", "angle in degrees", linspace(0, 40, 9), func(image []float64, by float64) []float64 { return moved(image, 0, by*math.Pi/180) }},
	} {
		panel := figure.Panel{Title: of.title, X: of.x, Y: "‖Φ(x) − Φ(x′)‖ / ‖Φ(x)‖", Layers: []figure.Layer{figure.Lattice{}}}
		for i, k := range kernels {
			line := figure.Line{Name: k.name, Ink: figure.Ink(i), X: of.by, Y: make([]float64, len(of.by)), Dashed: i%2 == 1}
			for j, by := range of.by {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				line.Y[j] = distanceAfter(k, d.clean, func(image []float64) []float64 { return of.move(image, by) })
			}
			panel.Layers = append(panel.Layers, line)
		}
		out.Panels = append(out.Panels, panel)
	}
	return out, nil
}

// distanceAfter is the mean of ‖Φ(x) − Φ(x′)‖/‖Φ(x)‖ over images.
func distanceAfter(k kernel.Kernel[[]float64], images data.Vectors, move func([]float64) []float64) float64 {
	sum := 0.0
	for i := range images.Len() {
		x := ink(images.At(i))
		y := move(x)
		own := k.Eval(x, x)
		sum += math.Sqrt(max(0, own+k.Eval(y, y)-2*k.Eval(x, y)) / own)
	}
	return sum / float64(images.Len())
}

// ink returns an image whose paper is 0.
func ink(image []float64) []float64 {
	out := append([]float64(nil), image...)
	floats.AddConst(-floats.Min(out), out)
	return out
}

// moved returns an image after a shift to the right and a rotation about its middle, between pixels
// by linear interpolation, with paper from beyond the border.
func moved(image []float64, right, angle float64) []float64 {
	const middle = (digitSide - 1) / 2.0
	sin, cos := math.Sincos(angle)
	at := func(i, j int) float64 {
		if i < 0 || j < 0 || i >= digitSide || j >= digitSide {
			return 0
		}
		return image[i*digitSide+j]
	}
	out := make([]float64, len(image))
	for i := range digitSide {
		for j := range digitSide {
			y, x := float64(i)-middle, float64(j)-right-middle
			v, u := cos*y-sin*x+middle, sin*y+cos*x+middle
			i0, j0 := int(math.Floor(v)), int(math.Floor(u))
			a, b := v-float64(i0), u-float64(j0)
			out[i*digitSide+j] = (1-a)*((1-b)*at(i0, j0)+b*at(i0, j0+1)) + a*((1-b)*at(i0+1, j0)+b*at(i0+1, j0+1))
		}
	}
	return out
}
