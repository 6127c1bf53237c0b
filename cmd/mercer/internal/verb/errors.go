package verb

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"example.org/mercer/kernel/expr"
	"example.org/mercer/learner"
)

// usageError marks an error of the command line itself, which exits with 2.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// AsUsage makes an error one of the command line.
func AsUsage(err error) error { return usageError{err} }

// IsUsage reports whether an error is one of the command line.
func IsUsage(err error) bool {
	usage, setting := usageError{}, (*learner.SettingError)(nil)
	return errors.As(err, &usage) || errors.As(err, &setting)
}

// Usagef returns an error of the command line.
func Usagef(format string, args ...any) error { return AsUsage(fmt.Errorf(format, args...)) }

// Swallowed is the error of a flag without its value, which took the flag after it for one.
func Swallowed(set *pflag.FlagSet) error {
	var problem error
	set.Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		name, long := strings.CutPrefix(value, "--")
		short, dashed := strings.CutPrefix(value, "-")
		if long && set.Lookup(name) != nil || dashed && len(short) == 1 && set.ShorthandLookup(short) != nil {
			problem = Usagef("--%s needs a value, and %s after it is a flag: give %s", f.Name, value, f.Usage)
		}
	})
	return problem
}

// Blame marks an error in a kernel expression as one of the command line, where the
// expression was written; but not one of the points that its parameters were to be found from.
func Blame(err error) error {
	syntax, points := (*expr.SyntaxError)(nil), (*expr.PointsError)(nil)
	if errors.As(err, &syntax) && !errors.As(err, &points) {
		return AsUsage(err)
	}
	return err
}

// Unfinished is the error of work that has left something behind.
type Unfinished struct {
	Err  error
	Left string // says what, and where
}

func (u *Unfinished) Error() string { return fmt.Sprintf("%v; %s", u.Err, u.Left) }

func (u *Unfinished) Unwrap() error { return u.Err }
