// Package records reads tables from the bodies of requests, and writes predictions as answers: JSON
// objects or lists, a JSON object on each line, or CSV.
package records
