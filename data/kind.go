package data

import "fmt"

// ParseKind returns the kind of the given name: numeric, categorical or text.
func ParseKind(name string) (Kind, error) {
	for _, k := range []Kind{Numeric, Categorical, Text} {
		if k.String() == name {
			return k, nil
		}
	}
	return 0, fmt.Errorf("data: kind %q is not known: use numeric, categorical or text", name)
}
