// Package figure draws the pictures that people would rather look at than numbers. It
// takes numbers and returns PNG or SVG bytes: what they mean is the caller's business.
package figure
