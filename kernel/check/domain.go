package check

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"example.org/mercer/data"
)

// Domain is the set that points are drawn from: an interval of numbers or integers
// for every coordinate, or given rows. The zero value is [Reals].
type Domain struct {
	name         string // "" for intervals without a name
	lo, hi       float64
	noLo, noHi   bool // the end itself is outside
	whole        bool // integers only
	rows         data.Vectors
	given, isSet bool
}

// Reals is ℝ.
func Reals() Domain { return named("reals", math.Inf(-1), math.Inf(1)) }

// Positive is ℝ₊ = [0, ∞), which includes 0.
func Positive() Domain { return named("positive", 0, math.Inf(1)) }

// Unit is [0, 1), without 1.
func Unit() Domain { d := named("unit", 0, 1); d.noHi = true; return d }

// Naturals is {1, 2, 3, …}: the ℕ on which gcd is a kernel. 0 is left out, because
// gcd(0, 0) = 0 and gcd(0, 1) = 1 violate the Cauchy–Schwarz inequality.
func Naturals() Domain { d := named("naturals", 1, math.Inf(1)); d.whole = true; return d }

// Integers is ℤ.
func Integers() Domain { d := named("integers", math.Inf(-1), math.Inf(1)); d.whole = true; return d }

func named(name string, lo, hi float64) Domain {
	return Domain{name: name, lo: lo, hi: hi, isSet: true}
}

// Interval is the set of numbers between lo and hi, without lo if openLo and without
// hi if openHi. It returns an error where the interval has no inner point.
func Interval(lo, hi float64, openLo, openHi bool) (Domain, error) {
	if !(lo < hi) {
		return Domain{}, fmt.Errorf("check: the interval from %g to %g has no inner point; write the smaller end first", lo, hi)
	}
	return Domain{lo: lo, hi: hi, noLo: openLo, noHi: openHi, isSet: true}, nil
}

// Rows is the finite set of the given vectors: the check is of these rows alone.
func Rows(v data.Vectors) Domain {
	return Domain{name: "the given rows", rows: v, given: true, isSet: true}
}

// ParseDomain reads reals, positive, unit, naturals, integers, or an interval such
// as (-1,1), [0,1), (0,inf).
func ParseDomain(text string) (Domain, error) {
	word := strings.ToLower(strings.TrimSpace(text))
	for _, d := range []Domain{Reals(), Positive(), Unit(), Naturals(), Integers()} {
		if d.name == word {
			return d, nil
		}
	}
	bad := fmt.Errorf("check: unknown domain %q; known are reals, positive, unit, naturals, integers and intervals such as (-1,1) or [0,1)", text)
	if len(word) < 5 || !strings.ContainsRune("([", rune(word[0])) || !strings.ContainsRune(")]", rune(word[len(word)-1])) {
		return Domain{}, bad
	}
	from, to, ok := strings.Cut(word[1:len(word)-1], ",")
	lo, errLo := strconv.ParseFloat(strings.TrimSpace(from), 64)
	hi, errHi := strconv.ParseFloat(strings.TrimSpace(to), 64)
	if !ok || errLo != nil || errHi != nil {
		return Domain{}, bad
	}
	return Interval(lo, hi, word[0] == '(', word[len(word)-1] == ')')
}

// String returns a text that [ParseDomain] reads back, or "the given rows".
func (d Domain) String() string {
	d = d.orReals()
	if d.name != "" {
		return d.name
	}
	open, shut := "[", "]"
	if d.noLo {
		open = "("
	}
	if d.noHi {
		shut = ")"
	}
	return fmt.Sprintf("%s%g,%g%s", open, d.lo, d.hi, shut)
}

// describe adds the set that a name stands for.
func (d Domain) describe() string {
	switch d.String() {
	case "reals":
		return "reals, (−∞, ∞)"
	case "positive":
		return "positive, [0, ∞)"
	case "unit":
		return "unit, [0, 1)"
	case "naturals":
		return "naturals, {1, 2, 3, …}"
	case "integers":
		return "integers, {…, −1, 0, 1, …}"
	}
	return d.String()
}

func (d Domain) orReals() Domain {
	if !d.isSet {
		return Reals()
	}
	return d
}

// contains reports whether a number belongs to the domain of one coordinate.
func (d Domain) contains(v float64) bool {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return false
	case v < d.lo || v > d.hi || (d.noLo && v == d.lo) || (d.noHi && v == d.hi):
		return false
	}
	return !d.whole || v == math.Trunc(v)
}
