// Package browser tests the page of the lab in a real browser, a headless Chromium. It is a
// module of its own, so that its tools are none of the library's. Without a browser the tests
// say so and skip.
//
//	go -C lab/browser test .
//	LAB_PICTURES=/tmp/lab go -C lab/browser test .   # keeps a picture of each screen
package browser
