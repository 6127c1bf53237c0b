// Package clustering has the methods that find clusters as values, one file for each: [KMeans] and
// [GMM] on vectors, [KernelKMeans] and [Spectral] on any points with a kernel.
//
// They are methods like those of package methods, which lists them; what they share stands here:
// ranges of the number of clusters, silhouettes that choose one, and a Gram matrix that repeated
// starts read again.
package clustering
