package main

import "github.com/mmcloughlin/avo/reg"

// squareRoots writes the loops.
func squareRoots() {
	for _, m := range append(doubles, singles...) {
		m.beginElementwise("sqrt", "√(scale·x[i])")
		m.elementwise(1, func(x []reg.VecVirtual) []reg.VecVirtual {
			m.do(root, x[0], x[0])
			return x
		})
	}
}
