// Package parquet reads flat Apache Parquet files into tables.
//
//   - Booleans become 0 and 1; integers, floats and decimals numbers.
//   - Dates become days, timestamps seconds since 1970-01-01, times of day seconds since
//     midnight.
//   - Strings, enumerations, JSON and UUIDs become categories or text by the rule of
//     [data.Texts.Kind].
//   - A column of 64-bit integers that a float64 cannot all hold becomes text, so that
//     identifiers keep their digits.
//   - Nulls and NaN are missing cells. Infinity is an error.
//
// Lists, maps, records, 96-bit times and other types are refused by column name. Row
// groups, dictionaries and compression (Snappy, gzip, Zstd, Brotli) are handled by
// parquet-go; LZ4 is refused, because a damaged page can exhaust the memory there.
package parquet
