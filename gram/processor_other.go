//go:build !unix

package gram

import "time"

// processorTime is not known on this system.
func processorTime() (time.Duration, bool) { return 0, false }
