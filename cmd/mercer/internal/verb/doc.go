// Package verb is what every verb of the command is made of: the run that it belongs to
// ([Invocation]: streams, --json, --quiet, the seed, the limits), the one way in which results are
// printed, notes and progress on standard error, errors of the command line, the groups of flags,
// pictures in files, and lines of text on what a model is made of.
package verb
