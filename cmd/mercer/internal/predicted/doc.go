// Package predicted shows what a model says of the rows of a table: as lines of CSV, as JSON, and
// as a picture.
package predicted
