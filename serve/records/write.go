package records

import (
	"encoding/json"
	"errors"
	"io"

	"example.org/mercer/data/arrow"
	"example.org/mercer/outcome/tabular"
)

// Answer is a table of predictions as JSON.
type Answer struct {
	Model   string           `json:"model"`
	Version string           `json:"version"`
	Columns []string         `json:"columns"`
	Rows    []map[string]any `json:"rows"`
	Notes   []string         `json:"notes,omitempty"`
}

// Write writes predictions in a media type. Notes are part of JSON alone.
func Write(w io.Writer, media, model, version string, header []string, lines [][]any, notes []string) error {
	switch media {
	case CSV:
		return tabular.WriteCSV(w, header, lines)
	case Lines:
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		for _, row := range tabular.TableOf(header, lines).Rows {
			if err := e.Encode(row); err != nil {
				return err
			}
		}
		return nil
	case Arrow, Feather:
		out := arrow.NewStreamWriter(w)
		if media == Feather {
			out = arrow.NewWriter(w)
		}
		return errors.Join(out.Write(header, lines), out.End())
	}
	t := tabular.TableOf(header, lines)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(Answer{Model: model, Version: version, Columns: t.Columns, Rows: t.Rows, Notes: notes})
}
