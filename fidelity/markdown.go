package fidelity

import (
	"fmt"
	"strings"
)

// Markdown writes the report as docs/fidelity.md.
func (r *Report) Markdown() string {
	var b strings.Builder
	ok, all := r.Count()
	fmt.Fprintf(&b, `# Held against a real Kudu

Written by %s: everything that was measured on %s, which ships with mmsim (fidelity/data), beside what mmsim makes of the same input.
%d of %d checks hold with seed 1: %s. %d of them hold by luck: they don't with most other seeds.

Each simulated number rests on one of three things:

- **rule**: it follows from Kudu's rules alone. Nothing was measured to get it.
- **prediction**: it rests on costs that were fitted to other measurements than the one it is held against.
- **fit**: it rests on costs that were fitted to this very measurement or to the single ops in it, and shows how well their form fits.

Simulations draw random numbers: where rowsets end, how long single ops take, what clients ask. The numbers shown are those of seed 1, which is that of the experiments; the last column says with how many of %d seeds a
check holds. Where it is not all or none, the real server's one or two runs could have come out otherwise as well.
`, "`mmsim fidelity`", r.Server, ok, all, r.Counts(), r.lucky(), seeds)
	r.missed(&b)
	for i := range r.Sections {
		r.Sections[i].markdown(&b)
	}
	return b.String()
}

// missed says plainly what does not match.
func (r *Report) missed(b *strings.Builder) {
	b.WriteString("\n## What does not match\n\n")
	none := true
	for i := range r.Sections {
		for j := range r.Sections[i].Checks {
			c := &r.Sections[i].Checks[j]
			if c.OK {
				continue
			}
			none = false
			fmt.Fprintf(b, "- %s: measured %s, simulated %s (%s).", c.What, c.Measured, c.Simulated, c.Bound)
			if c.Why != "" {
				b.WriteString(" " + c.Why)
			}
			b.WriteString("\n")
		}
	}
	if none {
		b.WriteString("Nothing.\n")
	}
	if r.lucky() == 0 {
		return
	}
	b.WriteString("\nThis holds with seed 1, but with less than half of the seeds:\n\n")
	for i := range r.Sections {
		for j := range r.Sections[i].Checks {
			if c := &r.Sections[i].Checks[j]; c.lucky() {
				fmt.Fprintf(b, "- %s: measured %s, simulated %s (%s), with %s seeds\n", c.What, c.Measured, c.Simulated, c.Bound, c.over())
			}
		}
	}
}

// lucky says whether the check holds with the first seed, but not with most.
func (c *Check) lucky() bool { return c.OK && c.Of > 0 && 2*c.Held < c.Of }

// lucky counts such checks.
func (r *Report) lucky() (n int) {
	for i := range r.Sections {
		for j := range r.Sections[i].Checks {
			if r.Sections[i].Checks[j].lucky() {
				n++
			}
		}
	}
	return n
}

// over says in how many simulations the check holds.
func (c *Check) over() string {
	if c.Of == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d", c.Held, c.Of)
}

func (s *Section) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n| what | rests on | measured | simulated | bound | holds | of %d seeds |\n|---|---|---|---|---|---|---|\n", s.Title, s.Text, seeds)
	for i := range s.Checks {
		c := &s.Checks[i]
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s |\n", c.What, c.Basis, c.Measured, c.Simulated, c.Bound, map[bool]string{true: "yes", false: "**no**"}[c.OK], c.over())
	}
	if len(s.Notes) > 0 {
		b.WriteString("\n")
	}
	for _, n := range s.Notes {
		fmt.Fprintf(b, "- %s\n", n)
	}
}
