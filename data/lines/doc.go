// Package lines cuts text into lines for the readers of text formats, within a [data.Budget]. A
// stream without a line end, such as a device that never stops, is an error and not all of memory.
package lines
