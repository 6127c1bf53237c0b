package models

import (
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/verb"
)

// lineWidth is the number of characters of a line of a sequence.
const lineWidth = 60

// letters writes a sequence line by line. In colours, orange speaks for the output and blue
// against it, in three strengths. Without, digits below the symbols say how many ninths of
// the largest share each has, in a line for + and a line for −.
func letters(w io.Writer, places []mercer.Place, colours bool) {
	largest := largestShare(places)
	wordy := wordy(places)
	for from := 0; from < len(places); {
		to, width := from, 0
		for to < len(places) && (to == from || width+cell(places[to], wordy) <= lineWidth) {
			width += cell(places[to], wordy)
			to++
		}
		line := places[from:to]
		if colours {
			fmt.Fprintf(w, "    %5d   ", from+1)
			tinted(w, line, largest, wordy)
		} else {
			var text strings.Builder
			for _, p := range line {
				text.WriteString(padded(p.Symbol, cell(p, wordy)))
			}
			fmt.Fprintf(w, "    %5d   %s\n", from+1, strings.TrimRight(text.String(), " "))
			for _, sign := range []float64{1, -1} {
				if marks := marked(line, sign, largest, wordy); marks != "" {
					fmt.Fprintf(w, "          %s %s\n", map[float64]string{1: "+", -1: "−"}[sign], marks)
				}
			}
		}
		from = to
	}
	if largest > 0 {
		key := "digits: ninths of the largest share of a place, "
		if colours {
			key = "orange for, blue against; the largest share of a place is "
		}
		fmt.Fprintf(w, "    %s%s\n", key, verb.Num(largest))
	}
}

// wordy reports whether symbols are words, between which there is room.
func wordy(places []mercer.Place) bool {
	for _, p := range places {
		if utf8.RuneCountInString(p.Symbol) > 6 || len(p.Symbol) > 1 && p.Symbol[0] < utf8.RuneSelf && p.Symbol[0] != '\\' {
			return true
		}
	}
	return false
}

// cell is the width of a symbol.
func cell(p mercer.Place, wordy bool) int {
	width := utf8.RuneCountInString(p.Symbol)
	if wordy {
		width++
	}
	return width
}

func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}

func largestShare(places []mercer.Place) (largest float64) {
	for _, p := range places {
		largest = max(largest, math.Abs(p.Contribution))
	}
	return largest
}

// marked returns the digits of the shares with a sign, "" where there are none.
func marked(line []mercer.Place, sign, largest float64, wordy bool) string {
	var b strings.Builder
	for _, p := range line {
		digit := " "
		if v := math.Round(9 * sign * p.Contribution / largest); v >= 1 {
			digit = fmt.Sprint(int(v))
		}
		b.WriteString(padded(digit, cell(p, wordy)))
	}
	return strings.TrimRight(b.String(), " ")
}

// The backgrounds of shares: a third, two thirds and all of the largest (numbers of the palette
// of 256 colours).
var (
	oranges = [3]int{223, 215, 208}
	blues   = [3]int{153, 111, 33}
)

// tinted writes a line of symbols on their backgrounds.
func tinted(w io.Writer, line []mercer.Place, largest float64, wordy bool) {
	for _, p := range line {
		tints, share := oranges, p.Contribution/largest
		if share < 0 {
			tints, share = blues, -share
		}
		text := padded(p.Symbol, cell(p, wordy))
		switch {
		case !(share > 1./9): // not of nothing, either
			fmt.Fprint(w, text)
		default:
			verb.Tint(w, text, tints[min(2, int(3*share))])
		}
	}
	fmt.Fprintln(w)
}
