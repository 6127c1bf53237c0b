package kernel

import (
	"context"
	"errors"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/kernel/explanation"
)

// Occludable kernels compare points whose places can be made unknown one by one: what is
// left to ask where a kernel is no sum over features.
type Occludable[T any] interface {
	Kernel[T]
	// Occludes returns the column of a record whose cell is occluded, "" for points that
	// are no records; or why the points of a kernel that is made of others cannot be occluded.
	Occludes() (column string, err error)
	// Places returns what x is made of.
	Places(x T) []explanation.Place
	// Occlude returns x with an unknown symbol in one place: one that is equal to none
	// of the other points.
	Occlude(x T, place int) T
}

var errNotOccludable = errors.New("its points have no places that could be made unknown")

// Occludes returns what an [Occludable] kernel does, and an error for others.
func Occludes[T any](k Kernel[T]) (column string, err error) {
	if o, ok := k.(Occludable[T]); ok {
		return o.Occludes()
	}
	return "", fmt.Errorf("%s: %w", k, errNotOccludable)
}

// Occludes reports whether the points of k can be occluded.
func (k Normalized[T]) Occludes() (string, error) { return Occludes(k.Of) }

// Places returns those of a point of k.
func (k Normalized[T]) Places(x T) []explanation.Place { return k.Of.(Occludable[T]).Places(x) }

// Occlude returns x as k does.
func (k Normalized[T]) Occlude(x T, place int) T { return k.Of.(Occludable[T]).Occlude(x, place) }

// Occludes reports whether the points of the base can be occluded.
func (k Power[T]) Occludes() (string, error) { return Occludes(k.Of) }

// Places returns those of a point of the base.
func (k Power[T]) Places(x T) []explanation.Place { return k.Of.(Occludable[T]).Places(x) }

// Occlude returns x as the base does.
func (k Power[T]) Occlude(x T, place int) T { return k.Of.(Occludable[T]).Occlude(x, place) }

// occlusion is g of a kernel that is asked about one place after the other.
type occlusion[T any] struct {
	of     Occludable[T]
	column string
	points data.Set[T]
	coef   []float64
	why    string
}

// Split returns g(x) − g(x with a place unknown) for every place: O(places·n) kernel values.
func (g occlusion[T]) Split(ctx context.Context, x T) ([]explanation.Split, error) {
	s := explanation.Split{Term: g.of.String(), Column: g.column, Rule: explanation.ByOcclusion, Why: reason(g.why), Places: g.of.Places(x)}
	xs := data.Slice[T]{x}
	for p := range s.Places {
		xs = append(xs, g.of.Occlude(x, p))
	}
	values, err := combination[T](ctx, g.of, xs, g.points, g.coef)
	if err != nil {
		return nil, err
	}
	s.Value = values[0]
	for p, without := range values[1:] {
		s.Parts = append(s.Parts, explanation.Part{Value: s.Value - without, Places: []int{p}})
	}
	return []explanation.Split{s}, nil
}

// Weights has none to return.
func (g occlusion[T]) Weights(context.Context) ([]explanation.Weights, error) {
	return []explanation.Weights{{Term: g.of.String(), Column: g.column, Why: reason(g.why)}}, nil
}
