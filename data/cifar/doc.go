// Package cifar reads the binary files of the CIFAR images: records of one byte with the label, in
// CIFAR-100 two, and 3,072 bytes with the pixels of an image of 32 × 32: all red ones row by row,
// then all green and all blue ones.
//
// The columns are label, in CIFAR-100 coarse and label, and p1, p2, …: from 0 to 255, pixel by
// pixel, its channels side by side, as package png has them.
//
// Krizhevsky, Learning multiple layers of features from tiny images, 2009.
package cifar
