// Package distance has what methods share that learn the distance with which their kernel compares
// vectors, and recursive feature machines, which are made of it.
package distance
