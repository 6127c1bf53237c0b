//go:build !amd64 || purego || noasm

package simd

func affineAt[F Float](_ Level, dst, x []F, scale, shift F) { affinePlain(dst, x, scale, shift) }

func addAt[F Float](_ Level, dst, s, t []F) { addPlain(dst, s, t) }

func multiplyAt[F Float](_ Level, dst, s, t []F) { multiplyPlain(dst, s, t) }

func largerAt[F Float](_ Level, dst, s, t []F) { largerPlain(dst, s, t) }

func powersAt[F Float](_ Level, dst, x []F, n int) { powersPlain(dst, x, n) }
