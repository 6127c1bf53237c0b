// Package png reads a folder of PNG or JPEG images as a table of colour histograms, or of their
// pixels: numbers from 0 to 255, row by row, the channels of a pixel side by side. There is one
// channel where all images are grey, else red, green and blue; all images then have one size.
//
// With b bins for each of red, green and blue, a pixel whose colours lie between 0 and 1 falls into
// the bin
// (⌊r·b⌋, ⌊g·b⌋, ⌊b·b⌋), the last for a colour of 1; column hR_G_B (with b other than 4: hR_G_BofN,
// N = b) of a row is the share of an image's pixels in that bin. Shares sum to 1, as kernels of
// histograms want them. What is transparent is seen on black.
//
// A file of the folder that ends in .txt and has labels in its name gives the labels, one a
// line. With as many lines as there are images each file is one image, in the order of the
// names. With as many as all files have rows of pixels together the files are sheets, on which
// every row of pixels is one image: so the CIFAR images are often handed out, as 1024 × 1000
// pixels. Without labels every file is one image.
//
// Swain and Ballard, Color indexing, International Journal of Computer Vision 7 (1991).
package png
