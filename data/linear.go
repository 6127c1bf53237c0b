package data

// LinearImage stores Lx in dst, where L is the len(dst)×len(x) matrix whose rows follow one
// another in l. Products are added from the first coordinate to the last and never fused, so
// that the bits are the same on every machine.
func LinearImage(dst, l, x []float64) {
	for i := range dst {
		sum := 0.0
		for j, v := range x {
			sum += float64(l[i*len(x)+j] * v)
		}
		dst[i] = sum
	}
}

// LinearImages returns the points Lx of a set of points of d coordinates, where L is the r×d
// matrix whose r·d numbers follow one another in l, in n·r·d multiplications.
func LinearImages(l []float64, xs Set[[]float64]) Vectors {
	if xs.Len() == 0 {
		return Vectors{}
	}
	out := MakeVectors(xs.Len(), len(l)/len(xs.At(0)))
	for i := range out.n {
		LinearImage(out.At(i), l, xs.At(i))
	}
	return out
}
