// Package mercer is the root of a toolkit for kernel methods; it holds no code of its
// own. Begin with the example below, with the packages kernel/vec and krr, or with the
// command in cmd/mercer.
package mercer
