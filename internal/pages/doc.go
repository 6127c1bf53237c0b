// Package pages allocates the large matrices: slices whose memory the system is asked to
// provide in huge pages, of the Go heap or, for the time of one call, outside of it.
//
// The first touch of fresh memory is a page fault, and with pages of 4 KiB it costs
// more than computing what is stored there. Where the system lets programs ask for
// huge pages (Linux with transparent_hugepage set to madvise or always), [Make] asks;
// elsewhere it is make.
package pages
