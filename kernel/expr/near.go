package expr

// Suggest returns "; did you mean x?" for the known name nearest to a misspelt one, or
// nothing where none is near, as the messages of this package do: for dictionaries
// that look up names of their own, such as columns.
func Suggest(wrong string, known []string) string { return suggest(wrong, known) }
