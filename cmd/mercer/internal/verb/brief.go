package verb

import (
	"regexp"
	"strconv"
	"strings"
)

// ListShort joins names, the later ones of many left out.
func ListShort(names []string) string {
	const most = 12
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", … (" + strconv.Itoa(len(names)) + ")"
	}
	return strings.Join(names, ", ")
}

// longNumber matches a number with more digits than people read.
var longNumber = regexp.MustCompile(`\d+\.\d{5,}(e[+-]?\d+)?|\d{6,}\.\d+`)

// longList matches a list of more than a dozen numbers, and one whose end has been cut off.
var longList = regexp.MustCompile(`\[[-+.\de]+(, ?[-+.\de]+){12,}(\]|,? ?…)`)

// Brief shortens the numbers of an expression to five digits, and lists of more than a dozen to
// the first four, for text; JSON and model files have them all.
func Brief(expression string) string {
	return longNumber.ReplaceAllStringFunc(ShortLists(expression), func(digits string) string {
		x, err := strconv.ParseFloat(digits, 64)
		if err != nil {
			return digits
		}
		return strconv.FormatFloat(x, 'g', 5, 64)
	})
}

// ShortLists shortens lists of more than a dozen numbers, as [Brief] does: a message may quote a
// kernel with a matrix or a dictionary.
func ShortLists(text string) string {
	return longList.ReplaceAllStringFunc(text, func(numbers string) string {
		all := strings.Split(strings.Trim(numbers, "[]"), ",")
		if strings.HasSuffix(numbers, "…") {
			return "[" + strings.Join(all[:4], ",") + ", …"
		}
		return "[" + strings.Join(all[:4], ",") + ", … (" + strconv.Itoa(len(all)) + ")]"
	})
}
