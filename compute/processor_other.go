//go:build !unix

package compute

import "time"

// processorTime is not known on this system.
func processorTime() (time.Duration, bool) { return 0, false }
