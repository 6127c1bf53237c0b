package csv

import "strings"

// missing knows the cells that mean "no value".
type missing struct {
	tokens  map[string]bool
	first   [256]bool // first bytes of tokens, in both cases
	longest int
	given   bool // by the caller, not the default list
}

// newMissing returns the set of the given tokens, or of DefaultMissing where nil.
func newMissing(tokens []string) *missing {
	m := &missing{tokens: map[string]bool{"": true}, given: tokens != nil}
	if tokens == nil {
		tokens = DefaultMissing()
	}
	for _, t := range tokens {
		lower := strings.ToLower(strings.TrimSpace(t))
		m.tokens[lower] = true
		m.longest = max(m.longest, len(lower))
		if lower != "" {
			m.first[lower[0]] = true
			m.first[strings.ToUpper(lower)[0]] = true
		}
	}
	return m
}

// has reports whether a cell means "no value".
func (m *missing) has(cell []byte) bool {
	if len(cell) == 0 {
		return true
	}
	if !m.first[cell[0]] || len(cell) > m.longest {
		return false
	}
	return m.tokens[strings.ToLower(string(cell))]
}
