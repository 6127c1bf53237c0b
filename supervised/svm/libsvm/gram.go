package libsvm

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
)

// Gram is a precomputed kernel matrix in LIBSVM's format for option -t 4: a line for each
// row i of
//
//	label 0:i 1:k(xᵢ, x₁) 2:k(xᵢ, x₂) …
//
// where the columns are the training points. Rows holds the numbers i as they stand in
// the file; in a training file they must be those of the lines, from 1.
type Gram struct {
	Labels []float64
	Rows   []int
	K      *mat.Dense
}

// WriteGram writes the matrix of a bound kernel, a row at a time without holding it.
// labels are one for each row. Memory and errors are those of [gram.Export].
func WriteGram(ctx context.Context, w io.Writer, labels []float64, p kernel.Pairs, o compute.Options) error {
	if rows, _ := p.Dims(); len(labels) != rows {
		return fmt.Errorf("libsvm: %d labels for a matrix of %d rows: one is needed for each", len(labels), rows)
	}
	out, i := bufio.NewWriter(w), 0
	err := gram.Export(ctx, p, gram.Full, o, func(row []float64) error {
		fmt.Fprintf(out, "%s 0:%d", number(labels[i]), i+1)
		for j, v := range row {
			out.WriteByte(' ')
			out.WriteString(strconv.Itoa(j + 1))
			out.WriteByte(':')
			out.WriteString(number(v))
		}
		i++
		return out.WriteByte('\n')
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// ReadGram reads such a matrix; name stands for the file in errors, which name the line.
// Every line must hold all columns in order: what is not written would be a kernel value
// of 0, which is more likely a mistake.
func ReadGram(name string, r io.Reader) (*Gram, error) {
	p := &parser{name: name, scan: bufio.NewScanner(r)}
	p.scan.Buffer(nil, longestLine)
	g, cols := &Gram{}, 0
	var values []float64
	for {
		words, err := p.next()
		if err != nil {
			return nil, err
		}
		if words == nil {
			break
		}
		if len(words) == 0 {
			continue
		}
		if len(g.Rows) == 0 {
			cols = len(words) - 2
		}
		if len(words) != cols+2 || cols < 1 {
			return nil, p.fail("", fmt.Sprintf("has %d words, and a row of this matrix has a label, 0:row and %d columns", len(words), max(cols, 1)), "write every column")
		}
		if values, err = p.row(g, words, values); err != nil {
			return nil, err
		}
	}
	if len(g.Rows) == 0 {
		return nil, p.fail("", "holds no rows", "give lines of the form: label 0:row 1:value 2:value …")
	}
	g.K = mat.NewDense(len(g.Rows), cols, values)
	return g, nil
}

// row takes one line over and returns values with its own appended.
func (p *parser) row(g *Gram, words []string, values []float64) ([]float64, error) {
	label, err := p.number(words[0])
	if err != nil {
		return nil, err
	}
	for j, word := range words[1:] {
		index, text, ok := strings.Cut(word, ":")
		if !ok || index != strconv.Itoa(j) {
			return nil, p.fail(word, fmt.Sprintf("is not %d:value", j), "write 0:row and then every column, in order")
		}
		if j == 0 {
			row, err := p.integer(text, 1)
			if err != nil {
				return nil, err
			}
			g.Rows = append(g.Rows, row)
			continue
		}
		v, err := p.number(text)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	g.Labels = append(g.Labels, label)
	return values, nil
}
