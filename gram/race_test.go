//go:build race

package gram

func init() { raceDetector = true }
