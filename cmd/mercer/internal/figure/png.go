package figure

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"
)

// dpi is the resolution of pictures in dots per inch.
const dpi = 200

// encodePNG writes an image with a palette, and says how many dots a metre has.
func encodePNG(img *image.RGBA) ([]byte, error) {
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&out, paletted(img)); err != nil {
		return nil, fmt.Errorf("figure: %w", err)
	}
	return withResolution(out.Bytes()), nil
}

// withResolution puts a chunk pHYs behind the header of a PNG file.
func withResolution(file []byte) []byte {
	const header = 8 + 25 // the signature and IHDR
	chunk := make([]byte, 0, 21)
	perMetre := uint32(math.Round(dpi / 0.0254))
	chunk = append(binary.BigEndian.AppendUint32(chunk, 9), "pHYs"...)
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre)
	chunk = append(binary.BigEndian.AppendUint32(chunk, perMetre), 1)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	return slices.Insert(file, header, chunk...)
}

// mostColours is the size of the palette of a PNG file.
const mostColours = 256

// shadeOf is a colour of an image and how many dots have it.
type shadeOf struct {
	color.RGBA
	dots int
}

// paletted returns an image with at most 256 colours: its own, or by the median cut of
// Heckbert (1982) where there are more. The same image gives the same bytes.
func paletted(img *image.RGBA) *image.Paletted {
	count := map[color.RGBA]int{}
	b := img.Bounds()
	runs(img, func(c color.RGBA, _, dots int) { count[c] += dots })
	all := make([]shadeOf, 0, len(count))
	for c, n := range count {
		all = append(all, shadeOf{c, n})
	}
	slices.SortFunc(all, func(a, b shadeOf) int {
		return cmp.Or(cmp.Compare(b.dots, a.dots), cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B), cmp.Compare(a.A, b.A))
	})
	out := image.NewPaletted(b, nil)
	number := make(map[color.RGBA]uint8, len(all))
	for k, box := range cut(all) {
		out.Palette = append(out.Palette, mean(box))
		for _, c := range box {
			number[c.RGBA] = uint8(k)
		}
	}
	runs(img, func(c color.RGBA, from, dots int) {
		k := number[c]
		for i := range out.Pix[from : from+dots] {
			out.Pix[from+i] = k
		}
	})
	return out
}

// runs calls f for the dots of one colour that follow one another, row after row: most of a
// picture is in long runs.
func runs(img *image.RGBA, f func(c color.RGBA, from, dots int)) {
	n := len(img.Pix) / 4
	at := func(i int) color.RGBA {
		p := img.Pix[4*i : 4*i+4 : 4*i+4]
		return color.RGBA{R: p[0], G: p[1], B: p[2], A: p[3]}
	}
	for from := 0; from < n; {
		c, to := at(from), from+1
		for to < n && at(to) == c {
			to++
		}
		f(c, from, to-from)
		from = to
	}
}

// cut divides colours among at most 256 boxes. The colours with the most dots, those of
// surfaces, have a box each and stay as they are; the rest is divided where a box is longest.
func cut(all []shadeOf) [][]shadeOf {
	var out [][]shadeOf
	kept := len(all)
	if len(all) > mostColours {
		kept = mostColours / 2
	}
	for i := range kept {
		out = append(out, all[i:i+1])
	}
	if kept == len(all) {
		return out
	}
	boxes := [][]shadeOf{all[kept:]}
	for len(out)+len(boxes) < mostColours {
		widest, channel, most := -1, 0, 0.0
		for i, box := range boxes {
			if c, w := longest(box); w > most {
				widest, channel, most = i, c, w
			}
		}
		if widest < 0 {
			break
		}
		low, high := halves(boxes[widest], channel)
		boxes[widest] = low
		boxes = append(boxes, high)
	}
	return append(out, boxes...)
}

// channelOf returns red, green or blue.
func channelOf(c color.RGBA, channel int) uint8 { return [3]uint8{c.R, c.G, c.B}[channel] }

// longest returns the channel along which a box is longest, and its length, weighted by the
// logarithm of its dots; a single colour has none.
func longest(box []shadeOf) (channel int, length float64) {
	dots := 0
	for _, c := range box {
		dots += c.dots
	}
	for k := range 3 {
		low, high := uint8(255), uint8(0)
		for _, c := range box {
			v := channelOf(c.RGBA, k)
			low, high = min(low, v), max(high, v)
		}
		if w := float64(high) - float64(low); w > 0 && w*math.Log1p(float64(dots)) > length {
			channel, length = k, w*math.Log1p(float64(dots))
		}
	}
	return channel, length
}

// halves divides a box at the median of a channel.
func halves(box []shadeOf, channel int) (low, high []shadeOf) {
	sorted := slices.Clone(box)
	slices.SortStableFunc(sorted, func(a, b shadeOf) int { return cmp.Compare(channelOf(a.RGBA, channel), channelOf(b.RGBA, channel)) })
	half := len(sorted) / 2
	for half > 1 && channelOf(sorted[half].RGBA, channel) == channelOf(sorted[half-1].RGBA, channel) {
		half-- // equal values stay together
	}
	return sorted[:half], sorted[half:]
}

// mean returns the mean colour of a box, weighted by dots.
func mean(box []shadeOf) color.RGBA {
	var sum [4]float64
	total := 0.0
	for _, c := range box {
		w := float64(c.dots)
		total += w
		for k, v := range [4]uint8{c.R, c.G, c.B, c.A} {
			sum[k] += w * float64(v)
		}
	}
	of := func(k int) uint8 { return uint8(math.Round(sum[k] / total)) }
	return color.RGBA{R: of(0), G: of(1), B: of(2), A: of(3)}
}
