package csv

import (
	"bufio"
	"bytes"
	"io"

	"example.org/mercer/data"
)

// sampleBytes is how much of a file is read before it is read: a few records of a
// hundred thousand columns.
const sampleBytes = 1 << 20

// sampleRows is the number of records of the sample that are read.
const sampleRows = 200

// trial is a sample split at one delimiter.
type trial struct {
	delim  byte
	rows   [][]string
	width  int     // the most frequent number of cells
	agree  float64 // the share of records with that many cells
	failed bool    // quoting is broken
}

// try splits a sample at a delimiter. whole says that the sample is all there is; the
// last line is otherwise left out, for it may have been cut, unless it is the only one.
func try(sample []byte, whole bool, delim byte) trial {
	end := bytes.LastIndexByte(sample, '\n')
	if !whole && end >= 0 {
		sample = sample[:end+1]
	}
	t := trial{delim: delim}
	s := newScanner(bufio.NewReader(bytes.NewReader(sample)), "", delim, nil)
	counts := make(map[int]int)
	for len(t.rows) < sampleRows {
		err := s.next()
		if err != nil {
			// An error in a sample that was cut may be the cut itself.
			t.failed = whole && err != io.EOF
			break
		}
		row := make([]string, s.width())
		for i := range row {
			row[i] = string(s.cell(i))
		}
		t.rows = append(t.rows, row)
		counts[len(row)]++
		if n := counts[len(row)]; n > counts[t.width] || n == counts[t.width] && len(row) > t.width {
			t.width = len(row)
		}
	}
	agreeing := counts[t.width]
	if !whole && end < 0 && t.width > 1 {
		t.width-- // the cell that was cut
		t.rows[0] = t.rows[0][:t.width]
	}
	if len(t.rows) > 0 {
		t.agree = float64(agreeing) / float64(len(t.rows))
	}
	return t
}

// emptyColumn reports whether some column of the sample has no cell with content: a sign
// that its delimiter is padding, as the two tabs after the comma in "+,S10,\t\ttact".
func (t trial) emptyColumn() bool {
	for col := range t.width {
		empty := true
		for _, row := range t.rows {
			empty = empty && (col >= len(row) || row[col] == "")
		}
		if empty {
			return true
		}
	}
	return false
}

// numeric returns the share of cells that are numbers.
func (t trial) numeric(s Style) float64 {
	cells, numbers := 0, 0
	for _, row := range t.rows {
		for _, cell := range row {
			cells++
			if _, kind := s.parse([]byte(cell)); kind == number {
				numbers++
			}
		}
	}
	return float64(numbers) / float64(max(cells, 1))
}

// sniff chooses the delimiter under which the sample is a table: every record has the
// same number of cells, at least two. Rarer characters are asked first. Where no
// delimiter achieves that, the file is ragged or has one column: the delimiter with the
// largest share of agreeing records wins, if that is more than half and, for blanks,
// which also separate the words of a text, the cells are mostly numbers.
func sniff(sample []byte, whole bool, s Style) byte {
	var trials []trial
	for _, d := range []byte{'\t', ';', '|', ',', Blanks} {
		if t := (trial{delim: d}); s.separates(d) {
			trials = append(trials, t)
			continue
		}
		trials = append(trials, try(sample, whole, d))
	}
	for _, strict := range []bool{true, false} {
		for _, t := range trials {
			if !t.failed && t.agree == 1 && t.width > 1 && !(strict && t.emptyColumn()) {
				return t.delim
			}
		}
	}
	best := trial{delim: Whole, agree: 0.5}
	for _, t := range trials {
		if t.width > 1 && t.agree > best.agree && (t.delim != Blanks || t.numeric(s) > 0.8) {
			best = t
		}
	}
	if comma := trials[3]; best.delim == Whole && comma.width == 1 && comma.agree == 1 {
		return ','
	}
	return best.delim
}

// headed decides whether the first record of the sample holds names. It does
//
//   - if it has a word above every column that is numeric below (a tenth of the cells may
//     be slips), and there are two, or one and no cell of the first record is one of the
//     values that repeat below it, or
//   - if no column is numeric below, none of its cells is empty or a number, all differ,
//     some column below repeats its values, and no cell of the first record is one of the
//     values that repeat below it.
//
// A lone record is a header if it holds nothing but different words.
func headed(rows [][]string, m *missing, s Style) bool {
	if len(rows) == 0 {
		return false
	}
	first, below := rows[0], rows[1:]
	numeric, repeats, occurring := 0, false, false
	for col, cell := range first {
		name := isWord(cell, s) && !m.has([]byte(cell))
		switch look(below, col, m, s) {
		case numbersBelow:
			if !name && cell != "" {
				return false
			}
			if name {
				numeric++
			}
		case wordsRepeat:
			occurring = occurring || occurs(below, col, cell)
			repeats = true
		}
	}
	switch {
	case numeric > 1:
		return true
	case occurring:
		return false
	case numeric > 0:
		return true
	}
	return distinctWords(first, m, s) && (repeats || len(below) == 0)
}

// sight is what a column of the sample looks like below its first record.
type sight int

const (
	mixed sight = iota
	numbersBelow
	wordsRepeat
)

// look classifies a column below the first record.
func look(below [][]string, col int, m *missing, s Style) sight {
	values := make(map[string]bool)
	numbers, words := 0, 0
	for _, row := range below {
		if col >= len(row) || m.has([]byte(row[col])) {
			continue
		}
		if isWord(row[col], s) {
			words++
			values[row[col]] = true
		} else {
			numbers++
		}
	}
	switch {
	case numbers > 0 && numbers >= 9*words:
		return numbersBelow
	case words > 0 && numbers == 0 && len(values) <= words/2:
		return wordsRepeat
	}
	return mixed
}

// isWord reports whether a cell is neither a number, if with a decimal comma or a unit, nor a date.
func isWord(cell string, s Style) bool {
	_, kind := s.parse([]byte(cell))
	return kind == word && !decimalComma([]byte(cell)) && !data.NewMeasure(s.Decimal, s.Thousands).Add(cell)
}

// occurs reports whether a cell occurs in a column of the rows.
func occurs(rows [][]string, col int, cell string) bool {
	for _, row := range rows {
		if col < len(row) && row[col] == cell {
			return true
		}
	}
	return false
}

// distinctWords reports whether the cells are different words.
func distinctWords(cells []string, m *missing, s Style) bool {
	seen := make(map[string]bool)
	for _, cell := range cells {
		if !isWord(cell, s) || m.has([]byte(cell)) || seen[cell] {
			return false
		}
		seen[cell] = true
	}
	return true
}
