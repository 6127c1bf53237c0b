package model

import "fmt"

// Version is the version of mercer, which model files name as their maker.
const Version = "0.1.0"

// FormatVersion returns the version of the file format that this program writes:
// "major.minor". Files of another major version are refused.
func FormatVersion() string { return fmt.Sprintf("%d.%d", formatMajor, formatMinor) }
