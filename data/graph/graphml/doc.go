// Package graphml reads GraphML, the XML format of graphs,
//
//	<graphml>
//	  <key id="f" for="node" attr.name="faction" attr.type="int"/>
//	  <key id="w" for="edge" attr.name="weight" attr.type="double"/>
//	  <graph edgedefault="undirected">
//	    <node id="1"><data key="f">0</data></node>
//	    <node id="2"/>
//	    <edge source="1" target="2"><data key="w">4</data></edge>
//	  </graph>
//	</graphml>
//
// A key declares an attribute, its type and perhaps a default; the edge attribute weight is the
// weight of an edge. Graphs in nodes, ports, hyperedges, and directed and
// undirected edges in one graph are refused. Elements of other name spaces (yEd's pictures) are
// passed over.
//
// Brandes, Eiglsperger, Herman, Himsolt and Marshall, GraphML progress report (2001).
package graphml
