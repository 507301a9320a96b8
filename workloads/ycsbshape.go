package workloads

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// shape is how keys and rows look.
func (r *ycsbReader) shape() {
	order := "hashed"
	if p, ok := r.take("insertorder"); ok && p.Value != "hashed" {
		if order = "ordered"; p.Value != order {
			r.note(p.Line, "insertorder: YCSB takes \"%s\", like all but hashed, for ordered", p.Value)
		}
	}
	r.set(OfWorkload, "insert_order", order, r.of["insertorder"].Line)
	switch digits, _ := r.whole("zeropadding", 1); {
	case digits == paddedDigits && order == "hashed":
		r.set(OfTable, "keys", "padded", r.of["zeropadding"].Line)
	case digits > 1 && order == "hashed":
		r.note(r.of["zeropadding"].Line, "zeropadding is left out: hashed keys have no zeros in front here, or %d digits", paddedDigits)
	case digits > 1:
		r.set(OfWorkload, "zero_padding", fmt.Sprint(digits), r.of["zeropadding"].Line)
	}
	if fields, given := r.whole("fieldcount", 10); given {
		r.set(OfRecord, "fields", fmt.Sprint(fields), r.of["fieldcount"].Line)
	}
	r.fieldLength()
}

// fieldLength is the mean length of a field.
func (r *ycsbReader) fieldLength() {
	longest, given := r.whole("fieldlength", 100)
	shortest, _ := r.whole("minfieldlength", 1)
	dist := r.word("fieldlengthdistribution", "constant", OfRecord, "", "constant", "uniform", "zipfian")
	line := r.of["fieldlength"].Line
	mean := float64(longest)
	switch {
	case dist == "constant":
		if given {
			r.set(OfRecord, "field_length", fmt.Sprintf("%dB", longest), line)
		}
		return
	case shortest < 1 || shortest > longest:
		r.refuse(r.of["minfieldlength"], fmt.Sprintf("from 1 to fieldlength (%d)", longest))
		return
	case longest > 1<<20:
		r.refuse(r.of["fieldlength"], "at most 1048576")
		return
	case dist == "uniform":
		mean = float64(shortest+longest) / 2
	default:
		mean = NewZipfian(shortest, longest).mean()
	}
	length := int64(math.Round(mean))
	r.set(OfRecord, "field_length", fmt.Sprintf("%dB", length), r.of["fieldlengthdistribution"].Line)
	r.note(r.of["fieldlengthdistribution"].Line, "fieldlengthdistribution: all fields have the mean length here, %dB", length)
}

// mean is the mean integer.
func (z *Zipfian) mean() float64 {
	sum := 0.0
	for m := int64(1); m < z.n; m++ {
		sum += 1 - z.below(m) // P(At >= min+m)
	}
	return float64(z.min) + sum
}

// client is how many ask, and how fast.
func (r *ycsbReader) client() {
	for _, c := range []struct {
		name, key string
		of        Holder
	}{{"threadcount", "threads", OfClient}, {"target", "target", OfClient}, {"kudu_buffer_num_ops", "buffer_ops", OfSession}} {
		if n, given := r.whole(c.name, 1); given {
			r.set(c.of, c.key, fmt.Sprint(n), r.of[c.name].Line)
		}
	}
	if p, ok := r.take("kudu_sync_ops"); ok && p.Value != "false" {
		r.note(p.Line, "kudu_sync_ops is left out: clients buffer writes here (kudu_sync_ops=false)")
	}
	if p, ok := r.take("maxexecutiontime"); ok {
		r.note(p.Line, "maxexecutiontime is left out: give the phase a duration")
	}
}

// ignored notes what was not asked for, in the order of lines.
func (r *ycsbReader) ignored(all []Property) {
	seen := map[string]bool{}
	for _, p := range all {
		if r.used[p.Key] || seen[p.Key] {
			continue
		}
		seen[p.Key] = true
		near := ""
		for name := range r.used {
			if strings.EqualFold(name, p.Key) {
				near = fmt.Sprintf("; names are case-sensitive: did you mean %s?", name)
			}
		}
		r.note(p.Line, "%s is left out: it says nothing here%s", p.Key, near)
	}
}

// whole is a property that is a whole number, not below 0.
func (r *ycsbReader) whole(name string, otherwise int64) (n int64, given bool) {
	p, ok := r.take(name)
	if !ok {
		return otherwise, false
	}
	n, err := strconv.ParseInt(strings.TrimPrefix(p.Value, "+"), 10, 64)
	if err != nil || n < 0 || n > most {
		allowed := fmt.Sprintf("a whole number from 0 to %d", int64(most))
		if strings.ContainsAny(p.Value, ",_ ") {
			allowed += ", without separators"
		}
		r.refuse(p, allowed)
		return otherwise, true
	}
	if n > math.MaxInt32 && (name == "recordcount" || name == "operationcount" || name == "insertcount") {
		r.note(p.Line, "%s: YCSB itself can't go beyond %d", name, math.MaxInt32)
	}
	return n, true
}

// most is beyond all that is asked for.
const most = 1e12

// weight is a property that is a proportion. YCSB leaves out operations whose weight is not above 0.
func (r *ycsbReader) weight(name string, otherwise float64) (w float64, given bool) {
	p, ok := r.take(name)
	if !ok {
		return otherwise, false
	}
	w, err := strconv.ParseFloat(strings.TrimSpace(p.Value), 64)
	if err != nil || math.IsNaN(w) || w > most || strings.ContainsAny(p.Value, "_xXpP") {
		r.refuse(p, "a number, the weight of an operation")
		return 0, true
	}
	return max(w, 0), true
}

// word is a property that is one of words; key is what it sets, empty = nothing.
func (r *ycsbReader) word(name, otherwise string, of Holder, key string, words ...string) string {
	p, ok := r.take(name)
	if !ok {
		p = Property{Value: otherwise}
	}
	if !slices.Contains(words, p.Value) {
		r.refuse(p, "one of "+strings.Join(words, ", "))
		return otherwise
	}
	if key != "" {
		r.set(of, key, p.Value, p.Line)
	}
	return p.Value
}

// decimal writes a number without an exponent.
func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
