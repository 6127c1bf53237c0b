package data

import "fmt"

// Blocks is a table of which one block of rows at a time need be in memory, such as one in a
// file.
type Blocks interface {
	// Schema returns the table without its cells.
	Schema() *Table
	// Starts returns the rows at which the blocks begin and, at the end, the number of rows.
	Starts() []int
	// Block reads block b. Columns beside the listed ones have no cells; nil lists all of
	// them. It is safe for concurrent use.
	Block(b int, columns []int) (*Table, error)
}

// A table in memory is one block of itself.
var _ Blocks = (*Table)(nil)

// Schema returns the table itself.
func (t *Table) Schema() *Table { return t }

// Starts returns 0 and the number of rows.
func (t *Table) Starts() []int { return []int{0, t.Rows()} }

// Block returns the table itself.
func (t *Table) Block(int, []int) (*Table, error) { return t, nil }

// TextColumns are columns that hold text, by name, each with its first cell that is no number.
type TextColumns map[string]FirstText

// ColumnsBecameText is the error of a reader in blocks: columns turned out to hold text after
// blocks with numbers of them had been returned. Begin again with these columns given to the
// reader.
type ColumnsBecameText struct{ Columns TextColumns }

// Error names the columns.
func (e *ColumnsBecameText) Error() string {
	return fmt.Sprintf("data: columns that began with numbers hold words: %v", map[string]FirstText(e.Columns))
}
