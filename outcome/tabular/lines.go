package tabular

import (
	"bytes"
	"encoding/json"
	"io"
)

// Writer writes the lines of a table as they come.
type Writer interface {
	Write(header []string, lines [][]any) error
	End() error
}

// CSV writes CSV.
type CSV struct {
	W     io.Writer
	begun bool
}

func (c *CSV) Write(header []string, lines [][]any) error {
	if c.begun {
		header = nil
	}
	c.begun = true
	return WriteCSV(c.W, header, lines)
}

func (c *CSV) End() error { return nil }

// JSON writes what [Table] are in JSON.
type JSON struct {
	W      io.Writer
	header []string
	rows   int
}

func (j *JSON) Write(header []string, lines [][]any) error {
	j.header = header
	var b bytes.Buffer
	for _, row := range TableOf(header, lines).Rows {
		if j.rows++; j.rows == 1 {
			j.begin(&b)
		} else {
			b.WriteString(",")
		}
		b.WriteString("\n    ")
		if err := indented(&b, row, "    "); err != nil {
			return err
		}
	}
	_, err := j.W.Write(b.Bytes())
	return err
}

func (j *JSON) begin(b *bytes.Buffer) {
	b.WriteString("{\n  \"columns\": ")
	_ = indented(b, j.header, "  ") // strings
	b.WriteString(",\n  \"rows\": [")
}

func (j *JSON) End() error {
	var b bytes.Buffer
	if j.rows == 0 {
		j.begin(&b)
		b.WriteString("]\n}\n")
	} else {
		b.WriteString("\n  ]\n}\n")
	}
	_, err := j.W.Write(b.Bytes())
	return err
}

// indented appends a value as [verb.Invocation.Emit] writes it, without the end of the line.
func indented(b *bytes.Buffer, v any, prefix string) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	enc.SetIndent(prefix, "  ")
	err := enc.Encode(v)
	b.Truncate(max(0, b.Len()-1))
	return err
}

// Several writes to all of them.
type Several []Writer

func (s Several) Write(header []string, lines [][]any) error {
	for _, w := range s {
		if err := w.Write(header, lines); err != nil {
			return err
		}
	}
	return nil
}

func (s Several) End() error {
	for _, w := range s {
		if err := w.End(); err != nil {
			return err
		}
	}
	return nil
}
