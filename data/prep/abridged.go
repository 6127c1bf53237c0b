package prep

import "strings"

// abridged joins names, the later ones of many left out.
func abridged(names []string) string {
	const most = 12
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}
