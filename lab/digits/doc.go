// Package digits draws images of the ten digits that look as if hands had written them: seven
// strokes, shifted, slanted, and of several widths. They stand in for images of a data set where
// none is at hand.
package digits
