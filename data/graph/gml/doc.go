// Package gml reads the Graph Modelling Language: nested lists of keys and values,
//
//	graph [
//	  directed 0
//	  node [ id 1 label "Mr Hi" faction 0 ]
//	  node [ id 2 faction 0 ]
//	  edge [ source 1 target 2 weight 4 ]
//	]
//
// A node is named by its id. Every other key of a node or an edge is an attribute, those of a
// list inside it under a joint name (graphics.x); weight is the weight of an edge. What
// stands beside node and edge is ignored. # begins a comment, strings may hold the
// entities of HTML (&quot; &amp; &lt; &gt; &apos; &#233;).
//
// Himsolt, GML: a portable graph file format, University of Passau (1997).
package gml
