package network

import "math"

// Gradient holds the derivatives of the kernel of a pair of points.
type Gradient struct {
	Theta  float64 // in the angle between them
	XX     float64 // in ⟨x, x⟩
	Weight float64 // in ln w
	Bias   float64 // in b
}

// Gradient returns the value and its derivatives. Where the kernel has a corner, at points in one
// direction and in opposite ones, that in the angle is 0.
func (n Network) Gradient(theta, xx, yy float64) (float64, Gradient) {
	w := slopes(n.Weight, 0, 0, n.Weight, 0)
	bias := slopes(n.Bias, 0, 0, 0, 1)
	x, y := slopes(xx, 0, 1, 0, 0), slopes(yy, 0, 0, 0, 0)
	sin, cos := math.Sincos(theta / 2)
	angle := slopes(theta, 1, 0, 0, 0)
	t := merged(w.by(n.Input), x.root(), y.root(), angle.as(2*sin*sin, 2*sin*cos), angle.as(2*cos*cos, -2*sin*cos), bias)
	if n.Bias == 0 {
		t.theta = angle
	} else {
		t.turn()
	}
	tangent := t.cov
	for l := range n.Depth {
		var slope dual
		if n.Activation == Erf {
			t, slope = w.erf(t, bias)
		} else {
			if l > 0 {
				t.turn()
			}
			slope = w.by(0.5).times(t.theta.as(1-t.theta.v/math.Pi, -1/math.Pi))
			t = w.rectified(n.Activation, t, bias)
		}
		tangent = tangent.times(slope).plus(t.cov)
	}
	if !n.Tangent {
		tangent = t.cov
	}
	return tangent.v, Gradient{tangent.d[0], tangent.d[1], tangent.d[2], tangent.d[3]}
}

// dual is a number with its derivatives in what [Gradient] lists (forward differentiation).
type dual struct {
	v float64
	d [4]float64
}

func slopes(v float64, d ...float64) dual { return dual{v, [4]float64(d)} }

// as is a function of a, of which the value and the slope at a are given.
func (a dual) as(value, slope float64) dual {
	out := dual{v: value}
	for i, d := range a.d {
		if d != 0 { // 0·∞ is nothing here
			out.d[i] = slope * d
		}
	}
	return out
}

func (a dual) by(c float64) dual { return a.as(c*a.v, c) }

func (a dual) plus(b dual) dual {
	a.v += b.v
	for i, d := range b.d {
		a.d[i] += d
	}
	return a
}

func (a dual) minus(b dual) dual { return a.plus(b.by(-1)) }
func (a dual) times(b dual) dual {
	out := dual{v: a.v * b.v}
	for i := range out.d {
		out.d[i] = a.v*b.d[i] + b.v*a.d[i]
	}
	return out
}

func (a dual) over(b dual) dual {
	if b.v == 0 {
		return dual{}
	}
	return a.times(b.as(1/b.v, -1/(b.v*b.v)))
}

// root is √a, of slope 0 at 0.
func (a dual) root() dual {
	if a.v == 0 {
		return dual{}
	}
	r := math.Sqrt(a.v)
	return a.as(r, 0.5/r)
}

// layerSlopes is [layer] with derivatives.
type layerSlopes struct{ q, p, cov, less, more, theta dual }

// turn is that of [layer]: dθ = d(1 − cos)/sin.
func (t *layerSlopes) turn() {
	theta, sin := 2*math.Atan(math.Sqrt(t.less.v/t.more.v)), math.Sqrt(t.less.v*t.more.v)
	slope := 0.
	if sin > 0 {
		slope = 1 / sin
	}
	t.theta = t.less.as(theta, slope)
}

// merged is [layer.join].
func merged(beta, a, b, less, more, bias dual) layerSlopes {
	r := beta.times(a).times(b)
	t := layerSlopes{q: beta.times(a.times(a)).plus(bias), p: beta.times(b.times(b)).plus(bias), cov: r.minus(r.times(less)).plus(bias)}
	whole, d, lengths := t.q.root().times(t.p.root()), a.minus(b), a.times(a).plus(b.times(b))
	t.less = r.times(less).plus(bias.times(beta).times(d.times(d)).over(whole.plus(r).plus(bias))).over(whole)
	t.more = r.times(more).plus(bias.times(beta.times(lengths).plus(bias)).over(whole.plus(r))).plus(bias).over(whole)
	if bias.v == 0 {
		t.less.v, t.more.v = less.v, more.v // of points that are 0, too
	}
	return t
}

// rectified is that of [Network], with dJ₁ = (π − θ)d cos, dJ₂ = 4J₁d cos and dJ₀ = −dθ.
func (w dual) rectified(of Activation, t layerSlopes, bias dual) layerSlopes {
	m, theta := t.less.v, t.theta.v
	sin, cos, h := math.Sqrt(m*t.more.v), (t.more.v-m)/2, 1-theta/math.Pi
	beta := w.by(0.5)
	var less, a, b dual
	switch of {
	case Step:
		less, a, b = t.theta.as(theta/math.Pi, 1/math.Pi), dual{v: sign(t.q.v)}, dual{v: sign(t.p.v)}
	case Rectifier:
		less, a, b = t.less.as(m-(sin-theta*cos)/math.Pi, h), t.q.root(), t.p.root()
	case Square:
		less = t.less.as((theta-sin*cos)/math.Pi+h*m*(4-2*m)/3, 4*(sin/math.Pi+h*cos)/3)
		a, b, beta = t.q, t.p, w.by(1.5)
	}
	less.v = max(less.v, 0)
	return merged(beta, a, b, less, less.as(2-less.v, -1), bias)
}

// erf is [Network.smooth].
func (w dual) erf(t layerSlopes, bias dual) (layerSlopes, dual) {
	w = w.by(2 / math.Pi)
	one, s := dual{v: 1}, t.q.times(t.p).times(t.less).times(t.more)
	rest := one.plus(t.q.plus(t.p).by(2)).plus(s.by(4)).root()
	half := func(u, rest dual) dual { // w·atan(2u/rest) + bias
		c := u.by(2).over(rest)
		return w.times(c.as(math.Atan(c.v), 1/(1+c.v*c.v))).plus(bias)
	}
	next := layerSlopes{cov: half(t.cov, rest), q: half(t.q, one.plus(t.q.by(4)).root()), p: half(t.p, one.plus(t.p.by(4)).root())}
	next.less = one
	if whole := next.q.root().times(next.p.root()); whole.v > 0 {
		next.less = one.minus(next.cov.over(whole))
		next.less.v = min(max(0, next.less.v), 2)
	}
	next.more = next.less.as(2-next.less.v, -1)
	return next, w.by(2).over(rest)
}
