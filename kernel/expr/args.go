package expr

import (
	"errors"
	"fmt"

	"example.org/mercer/kernel"
)

// Args gives an [Entry] its arguments by name. Names, kinds and duplicates have been
// checked against the entry before Build sees them.
type Args struct {
	byID    map[string]Arg
	kernels map[string]any // built kernel arguments, each a kernel.Kernel[T]
}

// KernelArgument returns a kernel argument, or nil where it was not written.
func KernelArgument[T any](a *Args, name string) kernel.Kernel[T] {
	k, _ := a.kernels[name].(kernel.Kernel[T])
	return k
}

// Node returns a kernel argument on points of another type (see [Argument]) as it was
// written, for [Build] with the dictionary of those points.
func (a *Args) Node(name string) (n Node, ok bool) {
	arg := a.byID[name]
	if !arg.Apart || arg.Kernel == nil {
		return Node{}, false
	}
	return *arg.Kernel, true
}

// Rebuilt returns the arguments with their kernels built again, from what was written and with the
// dictionary of other points: of the numbers of a record, say, where its entry is one on numbers.
func Rebuilt[T any](a *Args, d Dictionary[T]) (*Args, error) {
	other := &Args{byID: a.byID, kernels: map[string]any{}}
	for name, arg := range a.byID {
		if arg.Kernel == nil || arg.Apart {
			continue
		}
		k, err := Build(*arg.Kernel, d)
		if err != nil {
			why := err.Error()
			if s, ok := errors.AsType[*SyntaxError](err); ok {
				why = s.Msg
			}
			return nil, a.Errorf(name, "%s=%s does not compare the same points: %s", name, arg.Kernel, why)
		}
		other.kernels[name] = k
	}
	return other, nil
}

// Has reports whether the argument was written.
func (a *Args) Has(name string) bool { _, ok := a.byID[name]; return ok }

// Number returns a numeric argument, or fallback where it was not written.
func (a *Args) Number(name string, fallback float64) float64 {
	if arg, ok := a.byID[name]; ok {
		return arg.Number
	}
	return fallback
}

// Text returns a string or word argument, or fallback where it was not written.
func (a *Args) Text(name, fallback string) string {
	if arg, ok := a.byID[name]; ok {
		return arg.Text
	}
	return fallback
}

// List returns a list argument; a single number is a list of one. It returns nil
// where the argument was not written.
func (a *Args) List(name string) []float64 {
	arg, ok := a.byID[name]
	switch {
	case !ok:
		return nil
	case arg.Kind == NumberArg:
		return []float64{arg.Number}
	}
	return arg.List
}

// Errorf returns an error about one argument, placed at its column, or at the
// kernel's where it was not written. A cause may be wrapped with %w.
func (a *Args) Errorf(name, format string, values ...any) error {
	err := fmt.Errorf(format, values...)
	if arg, ok := a.byID[name]; ok {
		return &SyntaxError{Offset: arg.Pos, Msg: err.Error(), Err: errors.Unwrap(err)}
	}
	return err
}

// needs returns an error for the first of the arguments that was not written.
func (a *Args) needs(names ...string) error {
	for _, name := range names {
		if !a.Has(name) {
			return fmt.Errorf("the argument %s is missing", name)
		}
	}
	return nil
}
