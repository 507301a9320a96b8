package folder

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/HdrHistogram/hdrhistogram-go"

	"mmsim/files"
	"mmsim/reading"
	"mmsim/results"
)

func tagOf(phase, table, op string) string { return phase + "/" + table + "/" + op }

// writeLatencies writes histograms in the interval log format of HdrHistogram, one interval a phase, table and operation,
// tagged phase/table/OP. Times are seconds of simulated time, values microseconds, and the interval's maximum is in seconds.
func writeLatencies(path string, run *results.Run) error {
	return writeFile(path, files.Latencies, func(out *bufio.Writer) error {
		log := hdrhistogram.NewHistogramLogWriter(out)
		err := errors.Join(log.OutputLogFormatVersion(),
			log.OutputComment("Latencies in microseconds; times in seconds from the start of the simulation; maxima in seconds."),
			log.OutputStartTime(0), log.OutputBaseTime(0), log.OutputLegend())
		for i := range run.Latencies {
			err = errors.Join(err, writeHistogram(log, run, &run.Latencies[i]))
		}
		return err
	})
}

func writeHistogram(log *hdrhistogram.HistogramLogWriter, run *results.Run, l *results.Latency) error {
	phase := phaseOf(run, l.Phase)
	if phase == nil {
		return fmt.Errorf("latencies of %s in phase %q, which the run doesn't have", l.Table, l.Phase)
	}
	if l.Hist == nil || l.Hist.TotalCount() != l.Count {
		return fmt.Errorf("histogram of %s doesn't hold its %d operations", tagOf(l.Phase, l.Table, l.Op), l.Count)
	}
	hist := l.Hist.Clone() // the tag and the times are set on a copy
	hist.SetTag(tagOf(l.Phase, l.Table, l.Op))
	hist.SetStartTimeMs(phase.Start / 1e6)
	hist.SetEndTimeMs(phase.End / 1e6)
	return log.OutputIntervalPackedHistogram(hist)
}

func phaseOf(run *results.Run, name string) *results.Phase {
	for i := range run.Phases {
		if run.Phases[i].Name == name {
			return &run.Phases[i]
		}
	}
	return nil
}

// readLatencies reads the histograms of the latencies that result.json lists, which are in the same order.
func readLatencies(path string, run *results.Run, listed []latencyResult) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, reading.Cause(err))
	}
	defer file.Close()
	whole, err := io.ReadAll(files.NewWholeReader(file)) // before anything is made of it: the library takes a part of a line for a line
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	log := hdrhistogram.NewHistogramLogReader(bytes.NewReader(whole))
	for _, l := range listed {
		hist, err := log.NextIntervalHistogram()
		tag := tagOf(l.Phase, l.Table, l.Op)
		if err != nil || hist == nil || hist.Tag() != tag || hist.TotalCount() != l.Count {
			return fmt.Errorf("%s: want a histogram of the %d operations of %s next", path, l.Count, tag)
		}
		packed := results.NewHistogram()
		if packed.MergeFrom(hist) > 0 {
			return fmt.Errorf("%s: operations of %s took longer than the histogram's hour", path, tag)
		}
		packed.Compact()
		run.Latencies = append(run.Latencies, results.Latency{Phase: l.Phase, Table: l.Table, Op: l.Op, Count: l.Count, SumNs: l.SumNs, Hist: packed})
	}
	return nil
}
