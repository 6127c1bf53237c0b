// Package kernels has the verbs that look at kernels: kernel, check, gram and gallery.
package kernels
