// Package expr is the small language in which kernels are written, the same in the
// library, on the command line and in the model file:
//
//	sum     = product { "+" product }
//	product = power   { "*" power }
//	power   = factor  [ "^" integer ]
//	factor  = number [ columns ] | name [ "(" [ arg { "," arg } ] ")" ] [ columns ] | "(" sum ")" [ columns ]
//	arg     = [ name "=" ] ( number | string | list | word | "?" | sum )
//	list    = "[" [ number { "," number } ] "]"
//	columns = "[" pattern { "," pattern } "]"
//
// For example
//
//	0.5*rbf(sigma=1) + poly(degree=2, offset=1)
//	rbf(sigma=median)[age,bmi] * min[hist*]
//	normalize(of=poly(degree=3))^2
//
// [Parse] makes a [Node], which is plain data: it can be searched for placeholders
// ("?" for a parameter to be tuned, the word median for a heuristic), which are
// replaced by numbers before [Build] turns it into a kernel with the help of a
// [Dictionary] of the names that are known for one type of point. Nothing is
// registered globally; a caller adds names by adding entries to the value.
//
// A bare number times a kernel scales it, a bare number in a sum is the constant
// kernel. There is no minus and no division: they leave the cone of positive
// definite kernels.
package expr
