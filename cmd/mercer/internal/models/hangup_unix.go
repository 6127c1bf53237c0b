//go:build unix

package models

import "syscall"

// hangup is the signal by which files are read again.
const hangup = syscall.SIGHUP
