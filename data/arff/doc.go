// Package arff reads the attribute-relation files of Weka and OpenML:
//
//		% a comment
//		@relation weather
//		@attribute outlook {sunny, overcast, rainy}
//		@attribute 'wind speed' numeric
//		@data
//		sunny, 12.5
//		{0 rainy}
//
//	  - numeric, real and integer attributes become numbers;
//	  - nominal ones become categories, and a value that is not among theirs is an error;
//	  - strings become categories or text, and dates dates, see [data.Texts.Column].
//
// A question mark without quotes is a missing cell. Rows in braces are sparse: of an attribute
// that they leave out they have 0, the first value of a nominal one, and no text. Relational
// attributes and weights of rows are refused.
package arff
