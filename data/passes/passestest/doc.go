// Package passestest has rows for tests of methods that read theirs in passes.
package passestest
