package bigmath

import (
	"fmt"
	"math"
	"math/big"
)

// Asin returns the arcsine of x, −1 ≤ x ≤ 1: by Newton's method on sin y = x from the float64
// value, each step of which doubles the digits, and near 1, where sin is flat, by
// asin x = π/2 − 2 asin √((1 − x)/2).
func Asin(x *big.Float, prec uint) (*big.Float, error) {
	if err := finite("asin", x); err != nil {
		return nil, err
	}
	near, _ := x.Float64()
	p := precision(max(prec+guard, x.Prec()))
	if math.Abs(near) > 0.75 {
		rest := p.sub(p.int(1), p.of().Abs(x))
		if rest.Sign() < 0 {
			return nil, fmt.Errorf("asin(%s): the argument is not between -1 and 1", brief(x))
		}
		half := p.of().Sqrt(p.half(rest, 1))
		y, err := Asin(half, uint(p))
		if err != nil {
			return nil, err
		}
		y = p.sub(p.half(Pi(uint(p)), 1), p.half(y, -1))
		if x.Signbit() {
			y.Neg(y)
		}
		return round(y, prec), nil
	}
	y := p.of().SetFloat64(math.Asin(near))
	for bits := uint(40); ; bits *= 2 {
		sin, err := Sin(y, uint(p))
		if err != nil {
			return nil, err
		}
		cos, err := Cos(y, uint(p))
		if err != nil {
			return nil, err
		}
		y.Sub(y, p.quo(p.sub(sin, x), cos))
		if bits >= uint(p) {
			return round(y, prec), nil
		}
	}
}
