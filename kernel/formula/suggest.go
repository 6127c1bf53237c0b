package formula

import "fmt"

// suggestion returns ` (did you mean "exp"?)` for a near name, else nothing.
func suggestion(name string, known []string) string {
	if name == "ln" {
		return ` (did you mean "log"?)`
	}
	best, at := (len(name)+2)/2, ""
	for _, k := range known {
		if d := editDistance(name, k); d < best {
			best, at = d, k
		}
	}
	if at == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", at)
}

// editDistance counts the insertions, deletions and replacements of bytes between a
// and b (Levenshtein).
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
