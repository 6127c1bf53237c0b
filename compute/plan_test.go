package compute

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestNewPlanAddsUp(t *testing.T) {
	m := testMachine()
	m.Resident, m.Memory = 1000, 1600
	p := NewPlan("x", m,
		Cost{Stage: "a", Memory: 500, Keeps: 300, Flops: 1, Seconds: 2},
		Cost{Stage: "b", Memory: 400, Keeps: -200, Flops: 10, Seconds: 20},
		Cost{Stage: "c", Memory: 100, Seconds: 200})
	for i, want := range []int64{1500, 1700, 1200} {
		if got := p.Stages[i].Peak; got != want {
			t.Errorf("peak of stage %s is %d, want %d", p.Stages[i].Stage, got, want)
		}
	}
	if p.Memory != 1717 || p.Flops != 11 || p.Seconds != 222 {
		t.Errorf("plan needs %d bytes, %v flops, %v s; want 1717 (1700 and a hundredth of garbage), 11, 222", p.Memory, p.Flops, p.Seconds)
	}
	if len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "physical memory") {
		t.Errorf("notes %q, want one that 1700 bytes exceed the 1600 of the machine", p.Notes)
	}
	m.Memory, m.PairRate = 0, 0
	if p := NewPlan("x", m); p.Memory != 1010 || len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "speed of the kernel") {
		t.Errorf("without a rate of the kernel the notes are %q", p.Notes)
	}
}

func TestPlanPrintsATable(t *testing.T) {
	p := NewPlan("cholesky", testMachine(), Cost{Stage: "gram (dense)", Memory: 8e8, Keeps: 8e8, Seconds: 0.54}, FactorCost(10_000, testMachine()))
	p.Notes = []string{"a remark"}
	p.Alternatives = []Plan{{Solver: "packed", Hint: "--solver packed", Memory: 400 << 20, Seconds: 40}, {Solver: "cg", Memory: 1 << 20, Seconds: 300}}
	// 8·10⁸ B = 762.94 MiB; 10⁸/2 pairs at 10⁸/s and 4·10⁸ B at 10¹⁰ B/s: 0.54 s;
	// 10¹²/3 flops at 10¹⁰/s and the other half of the bytes: 33.4 s.
	const want = `solver cholesky: peak memory 770.65 MiB, time about 33.9 s on 2 workers
  stage         peak memory    flops    time
  gram (dense)   762.94 MiB        -  540 ms
  factor         763.02 MiB  3.3e+11  33.4 s
note: a remark
alternatives:
  --solver packed  400.00 MiB     40.0 s
  cg                 1.00 MiB  5 min 0 s
`
	if got := p.String(); got != want {
		t.Errorf("plan prints\n%s\nwant\n%s", got, want)
	}
}

func TestPlanIsJSON(t *testing.T) {
	m := testMachine()
	m.PairRate = 0 // unknown must not become an infinity, which JSON cannot say
	p := NewPlan("cholesky", m, SolveCost(100, 1, m))
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var back Plan
	if err := json.Unmarshal(text, &back); err != nil || back.Memory != p.Memory || back.Stages[0] != p.Stages[0] {
		t.Errorf("%s came back as %+v, error %v", text, back, err)
	}
}
