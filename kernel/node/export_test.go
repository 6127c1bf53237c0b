package node

import (
	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// ScaledBessel is what the series of exponentials are made of.
var ScaledBessel = scaledBessel

// Columns binds a kernel as in a network above [DenseLimit].
func Columns(k *Kernel, rows, cols data.Set[string]) kernel.Pairs {
	return newColumns(k, k.positions(rows), k.positions(cols))
}

// Element is Eval in a network above [DenseLimit].
func (k *Kernel) Element(i, j int) float64 { return k.element(min(i, j), max(i, j)) }

// Radius returns the bound of the spectrum of a matrix.
func (n *Network) Radius(m Matrix) float64 { return n.matrix(m).most }
