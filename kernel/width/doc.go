// Package width replaces words that stand for the width of a kernel by numbers found from the
// points: sigma=median and gamma=scale (see [Fill]). A width is in the units of the columns, and no
// fixed number is right for all tables. Either costs one look at the points, and is a start for
// a search or for "?" in an expression.
package width
