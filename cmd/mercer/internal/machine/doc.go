// Package machine has the verbs on this machine and this program: bench and version.
package machine
