// Command site renders the documents of mercer as a site of static files: pages with an index that
// is searched in the browser, the packages with their comments, the gallery, and the lab with the
// library in WebAssembly, by which figures come to life.
//
//	go -C site run . --out ../site-out            # from the root of the tree
//	go -C site run . --out ../site-out --no-lab   # without the lab, in a second
//
// The Markdown files stay what they are: links between them become links between pages. A link that
// leads nowhere, also to a heading that is not there, is an error, and nothing is written.
package main
