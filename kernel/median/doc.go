// Package median finds a width for a kernel of distances from the points: the median of the
// distances between them, by which half of the pairs are near and half are far. It is a start for
// a search, and what sigma=median means. Source: Gretton et al., A kernel two-sample test, JMLR 13,
// 2012, section 8.
package median
