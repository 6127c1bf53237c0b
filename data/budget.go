package data

import (
	"errors"
	"fmt"
	"io"
)

// Budget is the memory that reading may take. Readers take from it what they are about to allocate
// and what they keep, counted after decompression. A file of a few bytes which asks for all memory
// is then an error and not the end of the program. A nil Budget never ends. It is not safe for
// concurrent use.
type Budget struct {
	limit int64
	held  int64
	done  func() float64
}

// ErrBudget is what errors.Is finds in the error of a reader whose [Budget] is spent.
var ErrBudget = errors.New("data: takes more memory than reading may")

// NewBudget returns a budget of so many bytes; one of 0 never ends.
func NewBudget(bytes int64) *Budget {
	if bytes <= 0 {
		return nil
	}
	return &Budget{limit: bytes}
}

// Within returns a budget that is the given one, or one of so many bytes where that is nil.
func (b *Budget) Within(bytes int64) *Budget {
	if b != nil {
		return b
	}
	return NewBudget(bytes)
}

// Watch says how the share of the source that was read is found, between 0 and 1, so that
// the error can tell what all of it would take.
func (b *Budget) Watch(done func() float64) {
	if b != nil {
		b.done = done
	}
}

// Limit returns the bytes of the budget, 0 where it never ends.
func (b *Budget) Limit() int64 {
	if b == nil {
		return 0
	}
	return b.limit
}

// Left returns the bytes that may still be taken, and false where the budget never ends.
func (b *Budget) Left() (bytes int64, ends bool) {
	if b == nil {
		return 0, false
	}
	return max(0, b.limit-b.held), true
}

// Take takes bytes for what stands on a line of the source, 0 for the source as a whole. The error
// is an [*Error] of the kind [ErrBudget]: nothing more is to be allocated.
func (b *Budget) Take(bytes int64, source string, line int) error {
	if b == nil {
		return nil
	}
	if bytes >= 0 && bytes <= b.limit-b.held {
		b.held += bytes
		return nil
	}
	return b.spent(bytes, source, line)
}

// Fits is Take of bytes that are given back at once.
func (b *Budget) Fits(bytes int64, source string, line int) error {
	err := b.Take(bytes, source, line)
	if err == nil {
		b.Give(bytes)
	}
	return err
}

// Give gives back what was taken.
func (b *Budget) Give(bytes int64) {
	if b != nil {
		b.held = max(0, b.held-bytes)
	}
}

// Reader returns r as a reader that takes so many bytes from the budget for every byte that it
// reads: for small files, whose parsers do not count what they hold.
func (b *Budget) Reader(r io.Reader, source string, times int64) io.Reader {
	return &paying{r: r, budget: b, source: source, times: times}
}

type paying struct {
	r      io.Reader
	budget *Budget
	source string
	times  int64
}

// Read reads what the budget allows.
func (p *paying) Read(to []byte) (int, error) {
	n, err := p.r.Read(to)
	if spent := p.budget.Take(p.times*int64(n), p.source, 0); spent != nil {
		return 0, spent
	}
	return n, err
}

// Refuse is an error of the kind [ErrBudget] about something that needs so many bytes.
func (b *Budget) Refuse(source, what string, bytes float64, fix string) error {
	left, _ := b.Left()
	return &Error{Source: source, Reason: fmt.Sprintf("%s needs %s, more than the %s left for reading", what, mebibytes(bytes), mebibytes(float64(left))), Fix: fix, kind: ErrBudget}
}

// Endless is the error of a source that decompresses to so many bytes, and to more.
func Endless(source string, bytes int64) error {
	return &Error{Source: source, Reason: fmt.Sprintf("decompresses to more than %s", mebibytes(float64(bytes))), Fix: "allow more memory (--max-mem), read the table in passes (--out-of-core), or give a smaller file", kind: ErrBudget}
}

// spent says what was found and what it would take.
func (b *Budget) spent(bytes int64, source string, line int) error {
	e := &Error{Source: source, Line: line, kind: ErrBudget,
		Fix: "allow more (--max-mem), read the table in passes (--out-of-core), or give a smaller file"}
	total := float64(b.held) + float64(max(0, bytes))
	if bytes < 0 { // the caller's product is beyond any memory
		total = 1 << 63
	}
	if b.done != nil {
		if done := b.done(); done > 0 && done < 1 {
			total /= done
		}
	}
	e.Reason = fmt.Sprintf("takes more than the %s that reading may take: all of it needs about %s", mebibytes(float64(b.limit)), mebibytes(total))
	return e
}

// mebibytes prints a number of bytes.
func mebibytes(bytes float64) string {
	switch {
	case bytes >= 1<<60:
		return "an exabyte or more"
	case bytes >= 1<<30:
		return fmt.Sprintf("%.1f GiB", bytes/(1<<30))
	case bytes >= 1<<20:
		return fmt.Sprintf("%.0f MiB", bytes/(1<<20))
	}
	return fmt.Sprintf("%.0f KiB", bytes/(1<<10))
}
