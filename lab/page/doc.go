// Package page is the page of the lab: files for a browser, a handler that serves them and answers
// their questions by package lab, and the export of a site that needs no server.
//
// The page is plain modules of JavaScript, styles and SVG: nothing is built, bundled or fetched
// from elsewhere. A screen is a file in web/screens and a line of web/app.js, as it is a file and
// a line of package lab.
package page
