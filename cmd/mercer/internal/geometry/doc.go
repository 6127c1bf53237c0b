// Package geometry has the verb geom and what is below it: distances, barycentres and dimensions in
// the feature space of a kernel, the alignment of two kernels, representatives, the norm of a
// fitted function, and tests of two samples and of independence.
package geometry
