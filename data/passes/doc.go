// Package passes makes streaming passes over rows: it reads them block by block, always in the
// same order, whether they are in memory or in a file.
//
// A method that is written with [Each] has the same bits for rows in memory and for rows in a
// file, and for any number of workers. [Together] lets several searches, such as those from
// several starts, share their passes, so that a file is read once for all of them.
package passes
