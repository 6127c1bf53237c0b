// Package passes reads rows again and again, in blocks and always in the same order, wherever
// they are: a method that is written with [Each] has the same bits for rows in memory and for
// rows in a file, and for any number of workers. [Together] lets several searches, such as
// those from several starts, go through a file side by side, so that it is read for all of
// them at once.
package passes
