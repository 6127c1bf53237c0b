package client

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"
)

// Row has cells by the names of their columns: numbers, strings, lists for bags; nil, or a name
// left out, is a missing value.
type Row map[string]any

// Ask says what is wanted beside predictions. The zero value wants nothing.
type Ask struct {
	Interval float64 // coverage of bounds, such as 0.9; 0: none
	Sets     float64 // coverage of label sets; 0: none
	Version  string  // of the model; "": the one that is there
}

func (o Ask) query() url.Values {
	q := url.Values{}
	for name, v := range map[string]float64{"interval": o.Interval, "sets": o.Sets} {
		if v != 0 {
			q.Set(name, strconv.FormatFloat(v, 'g', -1, 64))
		}
	}
	if o.Version != "" {
		q.Set("version", o.Version)
	}
	return q
}

// Table are predictions: the columns that `mercer predict` writes, row by row.
type Table struct {
	Model   string   `json:"model"`
	Version string   `json:"version"`
	Columns []string `json:"columns"`
	Rows    []Row    `json:"rows"`
	Notes   []string `json:"notes"`
}

// Numbers returns a column of numbers, NaN where it has none. It is an error where the column is
// not there, or a cell is no number.
func (t *Table) Numbers(column string) ([]float64, error) {
	out := make([]float64, len(t.Rows))
	err := t.each(column, func(i int, cell any) bool {
		v, ok := cell.(float64)
		if cell == nil {
			v, ok = math.NaN(), true
		}
		out[i] = v
		return ok
	})
	return out, err
}

// Strings returns a column of strings, such as labels.
func (t *Table) Strings(column string) ([]string, error) {
	out := make([]string, len(t.Rows))
	err := t.each(column, func(i int, cell any) (ok bool) {
		out[i], ok = cell.(string)
		return ok
	})
	return out, err
}

// each goes through a column; take reports whether a cell is of its kind.
func (t *Table) each(column string, take func(i int, cell any) bool) error {
	for i, row := range t.Rows {
		cell, there := row[column]
		if !there {
			return fmt.Errorf("client: the predictions of %s have no column %q; they have %q", t.Model, column, t.Columns)
		}
		if !take(i, cell) {
			return fmt.Errorf("client: row %d of column %q is %v, of another kind", i+1, column, cell)
		}
	}
	return nil
}

// call asks a model about rows.
func (c *Client) call(ctx context.Context, model, name string, query url.Values, rows []Row, into any) error {
	body, err := json.Marshal(map[string]any{"rows": rows})
	if err != nil {
		return fmt.Errorf("client: rows as JSON: %w", err)
	}
	return c.json(ctx, question{method: http.MethodPost, path: "/v1/models/" + url.PathEscape(model) + ":" + name, query: query, media: "application/json", body: body}, into)
}

// Predict predicts rows. Errors: an [*Error] of the server, those of the connection, and that of
// ctx.
func (c *Client) Predict(ctx context.Context, model string, rows []Row, o Ask) (*Table, error) {
	out := new(Table)
	return out, c.call(ctx, model, "predict", o.query(), rows, out)
}

// Probabilities returns the probability of each class of rows, in columns p(class).
func (c *Client) Probabilities(ctx context.Context, model string, rows []Row) (*Table, error) {
	out := new(Table)
	return out, c.call(ctx, model, "probabilities", nil, rows, out)
}

// Explanation says how predictions are explained. The zero value is by rows.
type Explanation struct {
	By     string // "rows", "features", "gradient" or "shapley"; "": rows
	Top    int    // how many of each are told; 0: 10; negative: all
	Output string // of several; "": that of the prediction
}

// Explain returns what carries predictions of rows, as the JSON that `mercer explain --json` has
// below explanations.
func (c *Client) Explain(ctx context.Context, model string, rows []Row, o Explanation) (json.RawMessage, error) {
	q := url.Values{}
	for name, v := range map[string]string{"by": o.By, "output": o.Output} {
		if v != "" {
			q.Set(name, v)
		}
	}
	if o.Top != 0 {
		q.Set("top", strconv.Itoa(max(o.Top, 0)))
	}
	var out struct {
		Explanations json.RawMessage `json:"explanations"`
	}
	err := c.call(ctx, model, "explain", q, rows, &out)
	return out.Explanations, err
}
