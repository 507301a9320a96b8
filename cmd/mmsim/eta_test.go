package main

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"mmsim/configs"
	"mmsim/sim"
)

// recordedProgress reads what a real run reported when. Its clock counts seconds of CPU, which are seconds on a host with nothing else to do.
func recordedProgress(t *testing.T, path string) (at []float64, news []sim.Progress) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		w := strings.Split(line, "\t")
		at = append(at, number(w[0]))
		news = append(news, sim.Progress{Phase: w[1], Now: int64(number(w[2]) * 1e9), Done: int64(number(w[3])), Finished: w[1] == ""})
	}
	return at, news
}

// From a quarter of the default experiment on, the whole time that is foretold is within a factor of 1.5 of the real one: at full size and at a tenth,
// on a host that is slower or faster, with one policy, and with four of which two run at a time.
func TestETAOfTheDefaultExperiment(t *testing.T) {
	doc, err := configs.LoadEmbedded(defaultExperiment)
	if err != nil {
		t.Fatal(err)
	}
	for _, scale := range []float64{1, 0.1} {
		e, err := doc.Experiment.Scaled(scale)
		if err != nil {
			t.Fatal(err)
		}
		at, news := recordedProgress(t, fmt.Sprintf("testdata/progress/scale-%v.tsv", scale))
		for _, slower := range []float64{1, 4, 0.5} {
			for _, lines := range []int{1, 4} {
				t.Run(fmt.Sprintf("scale %v, %v times as slow, %d lines", scale, slower, lines), func(t *testing.T) {
					worst, where := playBack(newEstimator(e, lines, 2), at, news, slower, lines)
					if t.Logf("off by a factor of %.2f at %s", worst, where); worst > 1.5 {
						t.Errorf("off by a factor of %.2f at %s", worst, where)
					}
				})
			}
		}
	}
}

// playBack plays a run back for each line, two at a time, and gives the worst factor from a quarter of the whole on.
func playBack(s *estimator, at []float64, news []sim.Progress, slower float64, lines int) (worst float64, where string) {
	one := at[len(at)-1] * slower
	rounds := (lines + 1) / 2
	whole := one * float64(rounds)
	for round := range rounds {
		for i := range at {
			now := at[i]*slower + one*float64(round)
			for k := 2 * round; k < min(2*round+2, lines); k++ {
				n := news[i]
				n.Line = strconv.Itoa(k)
				s.update(n, now)
			}
			if now < whole/4 {
				continue
			}
			foretold := now + s.eta(now)
			if off := math.Exp(math.Abs(math.Log(foretold / whole))); off > worst {
				worst, where = off, fmt.Sprintf("%.1f of %.1f s (phase %s): %.1f s foretold", now, whole, news[i].Phase, foretold)
			}
		}
	}
	return worst, where
}

// Cases worked out by hand. Phases are 1 s and 6 s of work by the table, as one client that never reads asks for it.
func TestETA(t *testing.T) {
	type step struct {
		line, phase string
		at, done    float64
		finished    bool
		want        float64
	}
	for _, test := range []struct {
		name        string
		lines, jobs int
		steps       []step
	}{
		{"the table until something is seen", 1, 1, []step{{"raw", "a", 0, 0, false, 7}}},
		{"four on two threads", 4, 2, []step{{"raw", "a", 0, 0, false, 14}}},
		// Half of a in 5 s is ten times the table's 0.5 s, and weighs 0.5 / 0.6 for the rest of a; b's 6 s are 60.
		{"what was seen", 1, 1, []step{{"raw", "a", 0, 0, false, 7}, {"raw", "a", 5, 500, false, 5 + 60}}},
		{"the clock goes on without news", 1, 1, []step{{"raw", "a", 0, 0, false, 7}, {"raw", "a", 5, 500, false, 65}, {"", "", 15, 0, false, 55}}},
		// Half of b in 60 s makes 120 s of the whole, by the weight 0.5 / 0.6. By the table it is slower than a: the geometric mean of 10 and 20 times 6 s.
		{"a phase goes on as it went", 1, 1, []step{{"raw", "a", 0, 0, false, 7}, {"raw", "b", 10, 1000, false, 60},
			{"raw", "b", 70, 2500, false, 0.5 * (120*0.5 + 6*math.Sqrt(200)*0.1) / 0.6}}},
		// The first line has shown what phases take: the next one that is alone takes 10 s and 30 s, whatever the table says.
		{"lines take what other lines took", 2, 1, []step{{"raw", "a", 0, 0, false, 14}, {"raw", "b", 10, 1000, false, 60 + 70}, {"raw", "", 40, 4000, true, 40},
			{"x", "a", 40, 0, false, 40}, {"x", "b", 50, 1000, false, 30}, {"x", "", 80, 4000, true, 0}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &estimator{lines: test.lines, jobs: test.jobs, byLine: map[string]*lineTime{}, phases: []phaseWork{
				{name: "a", ops: 1000, clients: 1, longest: clientWork{ops: 1000}}, {name: "b", ops: 3000, clients: 6, longest: clientWork{ops: 3000}}}}
			for _, step := range test.steps {
				if step.line != "" {
					s.update(sim.Progress{Line: step.line, Phase: step.phase, Done: int64(step.done), Finished: step.finished}, step.at)
				}
				if got := s.eta(step.at); math.Abs(got-step.want) > 1e-9*max(step.want, 1) {
					t.Errorf("at %v s: %v, want %v", step.at, got, step.want)
				}
			}
		})
	}
}
