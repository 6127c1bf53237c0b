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

// Words says of columns, by name, why their cells are no numbers.
type Words map[string]string

// Turned is the error of a reader that passes blocks on, about columns that turned out to hold
// words when numbers of them had already been passed on: begin again, and tell the reader so.
type Turned struct{ Words Words }

// Error names the columns.
func (e *Turned) Error() string {
	return fmt.Sprintf("data: columns that began with numbers hold words: %v", map[string]string(e.Words))
}
