package expr

// Name is one name that an expression may use.
type Name struct {
	Name      string     `json:"name"`
	Summary   string     `json:"summary"`
	Arguments []Argument `json:"arguments,omitempty"`
}

// Names lists the kernels of a dictionary and of the algebra in alphabetical order,
// for help and completion.
func Names[T any](d Dictionary[T]) []Name {
	entries := algebra(d)
	for name, e := range d.Kernels {
		if _, taken := entries[name]; !taken {
			entries[name] = e
		}
	}
	names := make([]Name, 0, len(entries))
	for _, name := range sortedKeys(entries) {
		names = append(names, Name{Name: name, Summary: entries[name].Summary, Arguments: entries[name].Arguments})
	}
	return names
}
