// Package lab answers the questions of the page that shows kernels at work: a screen is a
// question with points, a kernel and sliders, and an answer with the numbers that a picture is
// made of. It knows neither HTTP nor a browser, so that the same screens run in a server and,
// compiled to WebAssembly, in the page itself.
//
// A screen is a file and a line of [Screens]. Requests come from strangers: their sizes are
// bounded, kernels are those on vectors, which name no files, and every answer ends when its
// context does.
package lab
