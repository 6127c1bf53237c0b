// Package settings holds the settings that several methods share, each with its flags: the penalty
// λ, how weighted systems are solved, and the search for a kernel by its evidence. A method embeds
// what it takes, declares it, and asks it for what was chosen:
//
//	func (s *klrSettings) Flags(fs learner.Flags) { s.Penalty.Declare(fs, settings.HalfPenalty) }
package settings
