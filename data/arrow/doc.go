// Package arrow reads and writes tables of Apache Arrow: files (Feather, version 2) and streams,
// with bodies that may be compressed by LZ4 or Zstandard.
//
//   - Booleans become 0 and 1; integers, floats and decimals numbers.
//   - Dates and times in days, seconds or finer become dates, see [data.Texts.Column]; times of day
//     seconds since midnight.
//   - Strings and dictionaries of strings become categories or text, see [data.Texts.Column].
//   - A column of integers that a float64 cannot all hold becomes text, so that identifiers keep
//     their digits.
//   - Nulls and NaN are missing cells. Infinity is an error.
//
// Lists, records, unions, binary columns and other types are refused by column name.
package arrow
