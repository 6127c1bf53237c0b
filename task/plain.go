package task

import "fmt"

// plainKernel is the text of the kernel whose feature space is that of the vectors.
const plainKernel = "linear()"

// PlainVectors returns the rows for a method that sees vectors as they are, without kernel and
// target, or an error that says why they are not such rows.
func (p *Task) PlainVectors(method string) (TypedPoints[[]float64], error) {
	l, ok := VectorPoints(p.Points)
	if !ok {
		return l, fmt.Errorf("task: method %q is on vectors, and the rows of this problem are ids in a Gram matrix: a method with a kernel can use it", method)
	}
	if l.Text() != plainKernel {
		return l, fmt.Errorf("task: method %q sees vectors as they are, and the kernel of the problem is %s: give it the kernel linear, or take a method with a kernel", method, l.Text())
	}
	return l, p.Untargeted(method)
}
