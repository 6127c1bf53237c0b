// Package idx reads the idx format, in which the MNIST digits and their relatives are
// kept: an array of whole numbers or floats of any number of dimensions.
//
//	offset 0      0, 0
//	offset 2      type of the elements: 8 uint8, 9 int8, 11 int16, 12 int32, 13 float32,
//	              14 float64
//	offset 3      number of dimensions
//	offset 4      the dimensions, 4 bytes each
//	…             the elements, the last dimension running fastest
//
// with the most significant byte first everywhere (Y. LeCun, C. Cortes and C. Burges, The
// MNIST database of handwritten digits). [Read] gives a table with a row for every element
// of the first dimension: images of 28 × 28 become the columns p1 … p784, an array of one
// dimension the column label. Labels usually lie in a second file: [Companions] says what
// it may be called, [Join] puts the two together.
//
// No memory is allocated on the word of a header: it grows with what arrives.
package idx
