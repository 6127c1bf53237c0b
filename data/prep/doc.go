// Package prep turns a table into points: it gives every column its role (feature,
// target, weight, id or dropped), deals with missing cells, writes categories as
// 0/1 features and standardises numbers.
//
// [Fit] learns these steps from the training table and returns them as a [Pipeline],
// which is plain data: it is stored as JSON in the model and [Pipeline.Apply] does to
// a new table exactly what was done to the training table. Nothing is learned again
// at prediction.
//
// # Naming columns
//
// A column is named by its name, or by its position: "#3" is the third column,
// "#-2" the last but one, "first" and "last" what they say. Files without a header
// need positions. A column that is really called "last" or "#3" is found by that
// name first.
//
// # Missing cells
//
// A missing cell is an error unless the caller chooses what it means ([Missing]).
// Missing targets and weights are never filled in. With DropRows, [Fit] and
// [Pipeline.Apply] leave the row out and say so: Prepared.Rows lists the rows that
// remain. With Keep, features are NaN where cells are missing: the kernel says what
// that means (nan=… of example.org/mercer/kernel/vec).
//
// # Weights
//
// When rows have weights, means and standard deviations are weighted too, so that a
// weight of 2 equals writing the row twice all the way from the file to the model.
package prep
