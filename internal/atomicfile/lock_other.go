//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package atomicfile

import (
	"errors"
	"os"
)

// lock always fails: nothing is swept where there are no locks on files.
func lock(*os.File) error { return errors.ErrUnsupported }
