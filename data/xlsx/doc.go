// Package xlsx reads sheets of Excel's workbooks (.xlsx, .xlsm), as the table of text that one
// would save of them, see package csv: the first row holds names where it looks like them, and
// kinds, missing cells, amounts and dates are found in the same way. Cells have fifteen digits,
// as in Excel, and not those of their format. Cells with the format of a date become dates.
// Formulas have the value that was saved with them.
package xlsx
