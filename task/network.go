package task

import (
	"fmt"

	"example.org/mercer/kernel/deep"
	"example.org/mercer/kernel/record"
)

// LacksNetwork reports whether the kernel has a network without weights, [deep.Kernel], which is
// still to be learned.
func (p *Task) LacksNetwork() (lacks bool) {
	p.Points.Visit(Visitor{
		Vectors: func(l TypedPoints[[]float64]) { _, lacks = deep.Lacking(l.Kernel) },
		IDs:     func(TypedPoints[string]) {},
		Records: func(TypedPoints[record.Record]) {},
	})
	return lacks
}

// refuseNetwork refuses to put landmarks or features in the place of a kernel that is not known
// yet.
func (p *Task) refuseNetwork() error {
	if !p.LacksNetwork() {
		return nil
	}
	return fmt.Errorf("task: landmarks and features stand for one kernel, and the network of %s is still to be learned: tune learns it before it chooses them, and falkon with --descent on its own landmarks", p.Kernel())
}
