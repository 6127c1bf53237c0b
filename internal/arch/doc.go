// Package arch holds no code: its tests are the house rules. They enforce which room
// may import which (every forbidden edge carries its reason), which doors heavy
// dependencies have, that every package is documented and that libraries never print.
package arch
