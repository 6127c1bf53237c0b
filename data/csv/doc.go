// Package csv reads tables of text: comma, tab, semicolon and bar separated values, and
// columns separated by blanks.
//
// [Read] finds out what a file does not say, and [Options] force what it finds.
//
// # Delimiter
//
// The delimiter is the first of tab, ';', '|', ',' and blanks under which the first
// 200 records have the same number of cells, at least two. Blanks means any run of blanks
// and tabs, with any number of them at either end of a line; lines that begin with # are
// then comments. Blanks around a cell do not belong to it. Blank lines are skipped.
//
// # Quoting
//
// Cells are quoted by the rules of RFC 4180: "a, b" holds a comma, "" inside quotes is a
// quote, and quoted cells may hold line ends. Quotes inside an unquoted cell are ordinary
// characters. In tab and blank separated files a cell is quoted only if the quote closes
// on its line, because files without any quoting are common there. Quotes do not decide the
// type of a cell. Lines end in LF or CRLF; a UTF-8 byte order mark is skipped.
//
// # Header
//
// The first row holds names if it has a word above every column that is numeric below
// (up to a tenth of slips) and there are two such columns, or one and no cell of the row
// occurs again below in a column that repeats its values; or, where no column is numeric, if
// its cells are different words, none occurs again in that way, and there is a column that
// repeats its values. Columns without a name are called c1, c2, …, by
// position.
//
// # Types
//
// A column is numeric if all its cells are decimal numbers: 3, -.5, 1e-3. It is
// categorical if it has words, none longer than 100 bytes, and either at most 20 distinct
// ones with a repetition, or at most 1000 that occur 10 times on average. Otherwise it is
// text. [data.Column.Why] says what decided. Three rules guard against slips:
//
//   - A column with more numbers than words is text, not categorical. Numbers with a
//     decimal comma are counted with the numbers here; they are not read as such.
//   - A word in a column that began with 1000 numbers is an error.
//   - An integer that a float64 cannot hold without loss (beyond 2⁵³) counts as a word,
//     so that identifiers keep their digits.
//
// A column whose cells all have one unit ($1,200.50, 12 %) or are dates (2024-03-01, 01.03.2024) is
// numeric, too: see [data.Unit].
//
// Infinity, by name or by overflow, is an error in a column of numbers.
//
// # Missing values
//
// Empty cells and those of [DefaultMissing] (NA, N/A, NaN, null, ? and a few more, in any
// case) are marked missing; what to do about them is decided later. In text columns only
// empty cells are missing, unless the caller lists the tokens.
package csv
