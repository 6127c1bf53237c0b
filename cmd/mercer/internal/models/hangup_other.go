//go:build !unix

package models

import "syscall"

// hangup is the signal by which files are read again, where there are signals.
const hangup = syscall.Signal(1)
