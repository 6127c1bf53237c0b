// Package models has the verbs that use a model file: eval, predict, explain, info, compress,
// update, forget, export and import.
package models
