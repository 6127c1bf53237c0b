// Package open reads a table from a file or from standard input, whatever its format.
//
// [Read] reads the first bytes (gzip, NumPy, zip, Parquet and idx have signatures), then at
// the name (.csv .tsv .libsvm .svm .npy .npz .parquet .idx .gml .graphml .edges .edgelist .fa
// .fasta .fas .fna .ffn .faa .fq .fastq, each also with .gz), and takes any other text for FASTA or
// FASTQ if it begins so, for the sparse LIBSVM format if its lines are index:value pairs, and for a
// table with sniffed delimiter if not. [Options.Format] decides by force. The readers themselves
// are packages csv, fasta, idx, libsvm, npy, parquet and png, and those below data/graph. Text
// whose first line is a graph in JSON is read by package jsonl, and a folder with a file NAME_A.txt
// by package tudataset: a row is then a whole graph.
//
// [Graph] reads a graph; as a table a graph is its nodes.
package open
