package prep

// ID returns the name of the column that names the rows, or "".
func (p *Pipeline) ID() string {
	for _, c := range p.columns {
		if c.Role == id {
			return c.Name
		}
	}
	return ""
}
