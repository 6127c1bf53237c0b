// Package expr is the small language in which kernels are written, the same in the
// library, on the command line and in the model file:
//
//	sum     = product { "+" product }
//	product = power   { "*" power }
//	power   = factor  [ "^" digits ]
//	factor  = ( number | call | "(" sum ")" ) [ columns ]
//	call    = name [ "(" [ arg { "," arg } ] ")" ]
//	arg     = [ name "=" ] ( number | string | list | word | "?" | sum )
//	list    = "[" [ number { "," number } ] "]"
//	columns = "[" pattern { "," pattern } "]"
//	pattern = string | characters other than , [ ] and "
//	number  = a decimal number such as 2, -0.5, .5 or 1e-3
//	string  = a text in double quotes with the escapes of Go
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
// # Numbers
//
// A number in front of a product scales the rest of it; a number anywhere else is the
// constant kernel. There is no minus and no division: they leave the cone of positive
// definite kernels. A negative number may be written, and is refused as a factor or
// constant unless the dictionary allows indefinite kernels.
//
// # Arguments
//
// Arguments are named; the first ones may be given by position instead, in the order
// of [Entry.Arguments]. A bare name is a word, not a kernel, unless the argument wants
// a kernel; of= always does.
//
// # The algebra
//
// Besides the operators these names are known for every type of point:
//
//	normalize(of=k)                        k(x,y)/√(k(x,x)k(y,y))
//	exp(of=k)                              exp(k(x,y))
//	series(of=k, coefficients=[1, 0.5])    Σ aₙ k(x,y)ⁿ
//	conform(of=k, by="1 + x")              f(x)k(x,y)f(y)
//	compose(of=k, map="log(x)")            k(φ(x),φ(y))
//
// # Columns
//
// A selection after a kernel restricts it to the columns that match its patterns;
// after brackets it applies to every kernel inside, so (a + b)[age] is
// a[age] + b[age]. A selection cannot contain another one: whether the inner one would
// replace or narrow the outer one is left to no one's memory. On conform and compose
// the function or map sees the selected columns only, like the kernel. What a pattern
// matches is up to the dictionary; quotes protect punctuation, not wildcards.
//
// # Canonical form
//
// [Node.String] prints one space around +, none around * and ^, the shortest number
// that reads back, and only the brackets that change the order of evaluation: sums are
// added from the left, products multiplied from the right. Parsing what was printed
// gives the same node, and for a kernel k made by Build, parsing k.String() gives a
// kernel with the same text and the same bits.
package expr
