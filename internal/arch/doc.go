// Command arch prints the table of packages of DESIGN.md: the levels in the order in which they
// may import one another, and what each package holds. Its tests are the rules of the house:
// the order, the doors of heavy dependencies, how large a package may be, the one grammar of all
// methods, the words that are not used, and what else a review would otherwise have to look for.
//
// Where the tree does not keep a rule yet, the known violations stand beside the rule with their
// present numbers. Such a list only shrinks: a test fails when a violation is new, when a known
// one grows, and when a listed one is gone.
package main
