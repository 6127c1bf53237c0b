package gram

import "example.org/mercer/kernel"

// kept puts a bound kernel behind the store of the options, if there is one. It is
// called wherever tiles of many points begin to be computed, and once is enough: what
// is kept already is returned as it is.
func (o Options) kept(p kernel.Pairs) kernel.Pairs { return kernel.Keep(p, o.Store) }
