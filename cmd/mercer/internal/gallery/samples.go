package gallery

import (
	"math"
	"math/rand/v2"

	"example.org/mercer/data"
)

// plane makes points of the plane from two coordinates.
func plane(source string, named []string) *Points {
	return &Points{Source: source, Names: []string{"x₁", "x₂"}, Named: named}
}

func (p *Points) put(label int, x ...float64) {
	d := len(x)
	raw := append(p.X.Raw(), x...)
	p.X, _ = data.NewVectors(len(raw)/d, d, raw)
	p.Labels = append(p.Labels, label)
}

// rings are n points on each of some circles, with noise.
func rings(r *rand.Rand, n int, noise float64, radii ...float64) *Points {
	names := []string{"inner", "outer"}
	if len(radii) == 3 {
		names = []string{"inner", "middle", "outer"}
	}
	p := plane("circles", names)
	for k, radius := range radii {
		for range n {
			angle, at := 2*math.Pi*r.Float64(), radius+noise*r.NormFloat64()
			p.put(k, at*math.Cos(angle), at*math.Sin(angle))
		}
	}
	return p
}

// disc is a class in the middle of another that surrounds it.
func disc(r *rand.Rand) *Points {
	p := plane("a disc in a ring", []string{"class 1", "class 2"})
	for range 60 {
		angle, at := 2*math.Pi*r.Float64(), 0.75*math.Sqrt(r.Float64())
		p.put(0, at*math.Cos(angle), at*math.Sin(angle))
	}
	for range 90 {
		angle, at := 2*math.Pi*r.Float64(), 1.15+0.4*r.Float64()
		p.put(1, at*math.Cos(angle), at*math.Sin(angle))
	}
	return p
}

// ellipse is a class in the middle of another, both oblique.
func ellipse(r *rand.Rand) *Points {
	p := disc(r)
	for i := range p.X.Len() {
		x := p.X.At(i)
		u, v := 1.25*x[0], 0.7*x[1]
		x[0], x[1] = 0.87*u-0.5*v, 0.5*u+0.87*v
	}
	p.Source = "an ellipse in a ring"
	return p
}

// blobs are the three clusters of Schölkopf, Smola and Müller (1998): Gaussians of
// deviation 0.1.
func blobs(r *rand.Rand) *Points {
	p := plane("three clusters", []string{"cluster 1", "cluster 2", "cluster 3"})
	for k, centre := range [][2]float64{{-0.5, -0.2}, {0, 0.6}, {0.5, 0}} {
		for range 30 {
			p.put(k, centre[0]+0.1*r.NormFloat64(), centre[1]+0.1*r.NormFloat64())
		}
	}
	return p
}

// few are three clusters of fewer points.
func few(r *random) *Points {
	p := blobs(r)
	var some []int
	for i := range p.X.Len() {
		if i%5 < 3 {
			some = append(some, i)
		}
	}
	return p.chosen(some)
}

// slope is an oblique cloud.
func slope(r *rand.Rand) *Points {
	p := plane("an oblique cloud", nil)
	for range 120 {
		u, v := 1.4*r.NormFloat64(), 0.45*r.NormFloat64()
		p.put(0, 0.87*u-0.5*v, 0.5*u+0.87*v)
	}
	p.Labels = nil
	return p
}

// moons are two half circles that reach into each other.
func moons(r *rand.Rand) *Points {
	p := plane("two moons", []string{"y = +1", "y = −1"})
	for range 60 {
		a, b := math.Pi*r.Float64(), math.Pi*r.Float64()
		p.put(0, math.Cos(a)+0.18*r.NormFloat64(), math.Sin(a)+0.18*r.NormFloat64())
		p.put(1, 1-math.Cos(b)+0.18*r.NormFloat64(), 0.5-math.Sin(b)+0.18*r.NormFloat64())
	}
	return p
}

// wave is a function of one variable with noise.
func wave(r *rand.Rand) *Points {
	const n = 60
	p := &Points{Source: "a noisy wave", Names: []string{"x"}, Target: "y", X: data.MakeVectors(n, 1), Y: make([]float64, n)}
	for i := range n {
		x := 10 * (float64(i) + r.Float64()) / n
		p.X.At(i)[0] = x
		p.Y[i] = math.Sin(x)*(0.4+0.12*x) + 0.3*r.NormFloat64()
	}
	return p
}

// random is the source of samples, toyOf makes one.
type (
	random     = rand.Rand
	sampleFunc = func(*random) *Points
)
