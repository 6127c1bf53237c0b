// Package fasta reads sequences in the formats FASTA and FASTQ,
//
//	>sp|P47710 casein          @read7 lane 1
//	MRLLILTCLVAVALARPKLPLRYPE  ACGTNACGT
//	RLQNPSESS                  +
//	                           IIIIHHGF#
//
// as a table with the columns id, the first word behind the mark; description, what
// follows it, where any record has one; and sequence. Sequences may go over several lines,
// whose blanks are left out. They are kept as they are written, lower case (which often
// marks repeats) and ambiguity codes such as N included: what these mean is for the alphabet
// of a kernel to say (example.org/mercer/kernel/seq). Qualities are checked to be as many as
// symbols, and then left out. Lines of FASTA that begin with a semicolon are comments.
//
// Pearson and Lipman, Improved tools for biological sequence comparison, PNAS 85 (1988);
// Cock et al., The Sanger FASTQ file format, Nucleic Acids Research 38 (2010).
package fasta
