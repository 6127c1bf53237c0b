package prep

// rowNumbers finds out whether values are the row numbers, from whatever start: the mark of an
// index that some program wrote beside the data.
type rowNumbers struct {
	N             int
	First, Second float64
	Row           int // of the first
	Gap, Differs  bool
}

func (c *rowNumbers) add(x float64, row int) {
	switch c.N {
	case 0:
		c.First, c.Row = x, row
	case 1:
		c.Second = x
	}
	c.N++
	c.Differs = c.Differs || x-c.First != float64(row-c.Row)
}

// merge adds the values of rows behind these.
func (c *rowNumbers) merge(next rowNumbers) {
	gap, n := c.Gap || next.Gap, c.N+next.N
	switch {
	case c.N == 0:
		*c = next
	case next.N > 0:
		if c.N == 1 {
			c.Second = next.First
		}
		c.Differs = c.Differs || next.Differs || next.First-c.First != float64(next.Row-c.Row)
	}
	c.Gap, c.N = gap, n
}

func (c *rowNumbers) holds() bool { return c.N >= 3 && !c.Gap && !c.Differs }
