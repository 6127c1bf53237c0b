package tune

import (
	"context"
	"math"
	"slices"
)

// eta is the factor by which rounds of [Halving] shrink and their shares grow.
const eta = 3

// halving tries all candidates on few rows, and the best of them on more.
func (s *search[T]) halving(ctx context.Context) error {
	drawn := s.draw(s.o.candidates())
	rounds := halvings(len(drawn), s.scale.Train)
	for left := len(drawn); left > 0; left /= eta {
		s.budget += left
	}
	for r := rounds; r >= 0; r-- {
		first := len(s.trials)
		for i := range drawn {
			drawn[i].share = math.Pow(eta, -float64(r))
			if err := s.try(ctx, drawn[i]); err != nil {
				return err
			}
		}
		drawn = s.survivors(drawn, first)
	}
	return nil
}

// minShareRows is the least number of training rows of a round.
const minShareRows = 30

// halvings is the number of rounds of [Halving] on less than all of the training rows.
func halvings(candidates, train int) int {
	rounds := 0
	for n := candidates; n >= eta && math.Pow(eta, float64(rounds+1))*minShareRows <= float64(train); n /= eta {
		rounds++
	}
	return rounds
}

// survivors returns the best third of the candidates of the trials from first on.
func (s *search[T]) survivors(drawn []candidate, first int) []candidate {
	order := make([]int, len(drawn))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := s.trials[first+i], s.trials[first+j]
		switch {
		case (a.Failed == "") != (b.Failed == ""):
			if a.Failed == "" {
				return -1
			}
			return 1
		case s.better(a, b):
			return -1
		case s.better(b, a):
			return 1
		}
		return 0
	})
	var out []candidate
	for _, i := range order[:max(1, len(order)/eta)] {
		out = append(out, drawn[i])
	}
	return out
}
