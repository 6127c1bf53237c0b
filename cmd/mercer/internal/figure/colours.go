package figure

import (
	"image/color"
	"math"
)

// Colours of numbers, from the lightest to the darkest: ColorBrewer's Blues and Oranges
// (Brewer 2003). Lightness falls evenly, so that they are read without hues, too.
var (
	blues   = []color.RGBA{{0xf7, 0xfb, 0xff, 0xff}, {0xc6, 0xdb, 0xef, 0xff}, {0x6b, 0xae, 0xd6, 0xff}, {0x21, 0x71, 0xb5, 0xff}, {0x08, 0x30, 0x6b, 0xff}}
	oranges = []color.RGBA{{0xff, 0xf8, 0xf1, 0xff}, {0xfd, 0xd0, 0xa2, 0xff}, {0xfd, 0x8d, 0x3c, 0xff}, {0xd9, 0x48, 0x01, 0xff}, {0x7f, 0x27, 0x04, 0xff}}
)

// sequential is the colour of a share between 0 and 1, the darker the greater.
func sequential(share float64) color.RGBA { return along(blues, share) }

// diverging is the colour of a number between −1 and 1: oranges below 0 and blues above,
// nearly white at 0.
func diverging(v float64) color.RGBA {
	if v < 0 {
		return along(oranges, -v)
	}
	return along(blues, v)
}

// along mixes the two stops between which a share lies.
func along(stops []color.RGBA, share float64) color.RGBA {
	at := min(max(share, 0), 1) * float64(len(stops)-1)
	i := min(int(at), len(stops)-2)
	t := at - float64(i)
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + t*(float64(b)-float64(a)))) }
	a, b := stops[i], stops[i+1]
	return color.RGBA{R: mix(a.R, b.R), G: mix(a.G, b.G), B: mix(a.B, b.B), A: 0xff}
}

// lightness is CIE L* of a colour, from 0 for black to 100 for white.
func lightness(c color.RGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	y := 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
	if y <= 216.0/24389 {
		return y * 24389 / 27
	}
	return 116*math.Cbrt(y) - 16
}

// on returns the colour in which letters are read on a ground.
func on(ground color.RGBA) color.RGBA {
	if lightness(ground) < 55 {
		return color.RGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
	}
	return Black.color()
}
