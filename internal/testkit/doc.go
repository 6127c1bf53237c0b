// Package testkit holds what the tests of many packages share: the one two-sided
// comparison of numbers, seeded generators, and the door to the public data sets.
package testkit
