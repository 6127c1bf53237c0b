package bigmath

import (
	"encoding/json"
	"math/big"
	"os"
	"strconv"
	"testing"
)

// reference is testdata/mpmath.json: values of 70 digits with their origin.
type reference struct {
	Origin string
	Cases  []struct {
		F    string
		X    []string
		Want string
	}
}

type unary = func(*big.Float, uint) (*big.Float, error)

var unaries = map[string]unary{
	"exp": Exp, "expm1": Expm1, "log": Log, "log1p": Log1p, "log2": Log2, "sqrt": Sqrt,
	"sin": Sin, "cos": Cos, "tan": Tan, "tanh": Tanh,
}

// ulps returns |got − want|/|want| in units of 2^−prec.
func ulps(got, want *big.Float, prec uint) float64 {
	if want.Sign() == 0 {
		f, _ := got.Float64()
		return f
	}
	d := new(big.Float).SetPrec(4*prec).Sub(got, want)
	d.Quo(d, want)
	f, _ := d.SetMantExp(d, int(prec)).Float64()
	return max(f, -f)
}

func TestAgainstMpmath(t *testing.T) {
	raw, err := os.ReadFile("testdata/mpmath.json")
	if err != nil {
		t.Fatal(err)
	}
	var ref reference
	if err := json.Unmarshal(raw, &ref); err != nil {
		t.Fatal(err)
	}
	// 70 digits are 232 bits, so at 220 bits the reference itself is exact enough.
	for _, prec := range []uint{53, 100, 200, 220} {
		for _, c := range ref.Cases {
			x := make([]*big.Float, len(c.X))
			for i, text := range c.X {
				f, err := strconv.ParseFloat(text, 64)
				if err != nil {
					t.Fatal(err)
				}
				x[i] = big.NewFloat(f)
			}
			var got *big.Float
			switch c.F {
			case "pi":
				got = Pi(prec)
			case "pow":
				got, err = Pow(x[0], x[1], prec)
			default:
				got, err = unaries[c.F](x[0], prec)
			}
			if err != nil {
				t.Errorf("%s%v: %v", c.F, c.X, err)
				continue
			}
			want, _, err := big.ParseFloat(c.Want, 10, 260, big.ToNearestEven)
			if err != nil {
				t.Fatal(err)
			}
			if u := ulps(got, want, prec); u > 1 || got.Prec() != prec {
				t.Errorf("%s%v at %d bits (has %d) = %.70g, want %s: off by %.3g ulp", c.F, c.X, prec, got.Prec(), got, c.Want, u)
			}
		}
	}
}
