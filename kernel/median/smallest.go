package median

// smallest returns the number at a place of v in rising order, counted from 0, and moves those that
// are less before it and those that are greater behind it, in linear time on average.
//
//  1. Take the middle one of the first, the central and the last number of the part that is left.
//  2. Divide the part into numbers that are not greater, and numbers that are not less.
//  3. Go on with the side that has the place, until it has one number.
//
// Hoare, Algorithm 65: Find (1961).
func smallest(v []float64, place int) float64 {
	for from, to := 0, len(v)-1; from < to; {
		low, high := min(v[from], v[to]), max(v[from], v[to])
		pivot := max(low, min(high, v[(from+to)/2]))
		i, j := from, to
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case place <= j:
			to = j
		case place >= i:
			from = i
		default:
			return v[place]
		}
	}
	return v[place]
}
