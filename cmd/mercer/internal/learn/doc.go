// Package learn has the verbs that learn from a table: plan, path, tune, fit and mkl from targets;
// embed, cluster and denoise without; and demo, which does the whole job on generated rows.
package learn
