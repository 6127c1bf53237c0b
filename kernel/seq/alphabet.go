package seq

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Alphabet says what the symbols of a sequence are. The zero value is Bytes.
//
// In DNA, RNA and proteins lower case is upper case, and T and U are the same. Letters
// that stand for several symbols, or for none, are outside the alphabet: a word that
// holds one is left out of every count. They are R Y S W K M B D H V N of the nucleic
// acids, B J Z X and the rare O U of proteins, the stop * and the gaps - and . of both
// (IUPAC-IUB 1984). Any other character is an error.
type Alphabet int

const (
	// Bytes: every byte is a symbol.
	Bytes Alphabet = iota
	// DNA has A C G T.
	DNA
	// RNA has A C G U.
	RNA
	// Protein has the 20 amino acids of the standard code.
	Protein
	// Unicode: every character is a symbol; a byte that is no UTF-8 is one of its own.
	Unicode
	// Words: what stands between white space is a symbol.
	Words
)

// alphabets gives the names that expressions use, the symbols, what is left out, and the
// bits that a symbol needs.
var alphabets = [...]struct {
	name, symbols, ambiguous string
	bits                     int
}{
	Bytes:   {"bytes", "", "", 8},
	DNA:     {"dna", "ACGT", "RYSWKMBDHVN*-.", 2},
	RNA:     {"rna", "ACGU", "RYSWKMBDHVN*-.", 2},
	Protein: {"protein", "ACDEFGHIKLMNPQRSTVWY", "BJZXOU*-.", 5},
	Unicode: {"unicode", "", "", 22},
	Words:   {"words", "", "", 31},
}

// String returns the name in expressions.
func (a Alphabet) String() string {
	if a < 0 || int(a) >= len(alphabets) {
		return fmt.Sprintf("seq.Alphabet(%d)", int(a))
	}
	return alphabets[a].name
}

// ParseAlphabet returns the alphabet of a name: bytes, dna, rna, protein, unicode or words.
func ParseAlphabet(name string) (Alphabet, error) {
	var names []string
	for a, entry := range alphabets {
		if entry.name == strings.ToLower(name) {
			return Alphabet(a), nil
		}
		names = append(names, entry.name)
	}
	return Bytes, fmt.Errorf("alphabet %q is not known: use one of %s", name, strings.Join(names, ", "))
}

// size returns the number of symbols, 0 where it has no bound that a formula could use.
func (a Alphabet) size() int {
	switch a {
	case Bytes:
		return 256
	case Unicode, Words:
		return 0
	}
	return len(alphabets[a].symbols)
}

// outside is the symbol that is in no alphabet.
const outside rune = -1

// unknown marks a byte that no sequence of the alphabet has.
const unknown rune = -2

// tables maps bytes to symbols for the alphabets of letters.
var tables = func() (t [len(alphabets)][256]rune) {
	for a, entry := range alphabets {
		for b := range t[a] {
			t[a][b] = unknown
		}
		set := func(letters string, symbol func(i int) rune) {
			for i, c := range []byte(letters) {
				t[a][c], t[a][strings.ToLower(string(c))[0]] = symbol(i), symbol(i)
			}
		}
		set(entry.ambiguous, func(int) rune { return outside })
		set(entry.symbols, func(i int) rune { return rune(i) })
		if a := Alphabet(a); a == DNA || a == RNA {
			set("TU", func(int) rune { return 3 })
		}
	}
	return t
}()

// check returns an error at the first character that no sequence of the alphabet has.
func (a Alphabet) check(x string) error {
	if alphabets[a].symbols == "" {
		return nil
	}
	for i := range len(x) {
		if tables[a][x[i]] == unknown {
			found, _ := utf8.DecodeRuneInString(x[i:]) // all before it are of one byte
			return fmt.Errorf("character %d of the sequence, %q, is no letter of %s (%s, or one of %s, which words leave out): correct it, or choose another alphabet",
				i+1, string(found), a, alphabets[a].symbols, alphabets[a].ambiguous)
		}
	}
	return nil
}

// reader makes symbols of sequences. It numbers words as they come, so one reader has to
// read all sequences that are compared; a fixed one takes new words for outside.
type reader struct {
	alphabet Alphabet
	words    map[string]rune
	fixed    bool
}

func newReader(a Alphabet) *reader { return &reader{alphabet: a, words: map[string]rune{}} }

// symbols returns the symbols of a sequence, outside where it has none.
func (r *reader) symbols(x string) []rune {
	switch r.alphabet {
	case Unicode:
		return characters(x)
	case Words:
		return r.numbers(x)
	case Bytes:
		out := make([]rune, len(x))
		for i := range out {
			out[i] = rune(x[i])
		}
		return out
	}
	out, table := make([]rune, len(x)), &tables[r.alphabet]
	for i := range out {
		out[i] = max(table[x[i]], outside) // unknown ones are outside, too
	}
	return out
}

func characters(x string) []rune {
	out := make([]rune, 0, len(x))
	for len(x) > 0 {
		c, size := utf8.DecodeRuneInString(x)
		if c == utf8.RuneError && size == 1 {
			c = utf8.MaxRune + 1 + rune(x[0])
		}
		out, x = append(out, c), x[size:]
	}
	return out
}

func (r *reader) numbers(x string) []rune {
	var out []rune
	for _, word := range strings.Fields(x) {
		n, ok := r.words[word]
		switch {
		case !ok && r.fixed:
			n = outside
		case !ok:
			n = rune(len(r.words))
			r.words[word] = n
		}
		out = append(out, n)
	}
	return out
}

// strands returns the symbols of a sequence, and those of its reverse complement where
// both strands count.
func (r *reader) strands(x string, both bool) [][]rune {
	s := r.symbols(x)
	if !both {
		return [][]rune{s}
	}
	return [][]rune{s, complement(s)}
}

// complement returns the other strand, read in its own direction: in the order A C G T
// the complement of symbol s is 3 − s.
func complement(s []rune) []rune {
	c := slices.Clone(s)
	slices.Reverse(c)
	for i, symbol := range c {
		if symbol != outside {
			c[i] = 3 - symbol
		}
	}
	return c
}

// checkStrands returns an error where the alphabet has no complement.
func (a Alphabet) checkStrands(both bool) error {
	if both && a != DNA && a != RNA {
		return fmt.Errorf("rc=yes counts the reverse complement, which sequences of %s do not have: give alphabet=dna or alphabet=rna, or leave rc out", a)
	}
	return nil
}
