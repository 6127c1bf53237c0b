package prep

import "fmt"

// Missing says what to do with a feature cell that has no value.
type Missing int

const (
	// Refuse makes a missing cell an error that names it.
	Refuse Missing = iota
	// DropRows leaves out rows with a missing cell, also at prediction.
	DropRows
	// Mean fills in the training mean, or the most frequent level of a category.
	Mean
	// Indicator does as Mean and adds a 0/1 feature "name?missing" for every column
	// that had a missing cell in training.
	Indicator
	// Keep leaves missing features as NaN, for kernels that say what they mean. A category is
	// missing in the features of all of its levels.
	Keep
)

var missingNames = [...]string{Refuse: "refuse", DropRows: "drop", Mean: "mean", Indicator: "indicator", Keep: "keep"}

// String returns "refuse", "drop", "mean", "indicator" or "keep".
func (m Missing) String() string {
	if m < 0 || int(m) >= len(missingNames) {
		return fmt.Sprintf("prep.Missing(%d)", int(m))
	}
	return missingNames[m]
}

// ParseMissing returns the policy of the given name; the empty name is Refuse.
func ParseMissing(name string) (Missing, error) {
	if name == "" {
		return Refuse, nil
	}
	for m, n := range missingNames {
		if n == name {
			return Missing(m), nil
		}
	}
	return Refuse, fmt.Errorf("prep: %q is not a way to treat missing cells: choose refuse, drop, mean, indicator or keep", name)
}

// MarshalText returns the name of the policy.
func (m Missing) MarshalText() ([]byte, error) {
	if m < 0 || int(m) >= len(missingNames) {
		return nil, fmt.Errorf("prep: %v is not a policy", m)
	}
	return []byte(missingNames[m]), nil
}

// UnmarshalText reads the name of a policy; see [ParseMissing].
func (m *Missing) UnmarshalText(text []byte) (err error) {
	*m, err = ParseMissing(string(text))
	return err
}
