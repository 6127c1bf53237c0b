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

// Whole returns a table in memory as one block.
func Whole(t *Table) Blocks { return whole{t} }

type whole struct{ *Table }

func (w whole) Schema() *Table                   { return w.Table }
func (w whole) Starts() []int                    { return []int{0, w.Rows()} }
func (w whole) Block(int, []int) (*Table, error) { return w.Table, nil }

// TextColumns are columns that hold text, by name, each with the reason why its cells are no
// numbers.
type TextColumns map[string]string

// ColumnsBecameText is the error of a reader in blocks: columns turned out to hold text after
// blocks with numbers of them had been returned. Begin again with these columns given to the
// reader.
type ColumnsBecameText struct{ Columns TextColumns }

// Error names the columns.
func (e *ColumnsBecameText) Error() string {
	return fmt.Sprintf("data: columns that began with numbers hold words: %v", map[string]string(e.Columns))
}
