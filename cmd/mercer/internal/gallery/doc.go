// Package gallery draws the figures that the lectures on kernel methods show or describe.
//
// What a figure shows is computed by the methods of this module on small sets that are
// generated from a seed, on the public data sets of the lectures where a folder with them
// is given, or on the points of the user. [Figures] lists the figures, [Draw] writes each
// as PNG and SVG beside an index in Markdown and HTML, which says for every figure which
// formula it shows, where it belongs, what to see, and which command draws the same from
// other data.
package gallery
