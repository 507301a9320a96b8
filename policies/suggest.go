package policies

// Suggest gives the word of a list that is nearest to a mistyped one, or "" if none is near: more than one letter and a third
// of the others would have to change. The first of equally near words wins.
func Suggest(word string, words []string) string {
	best, limit := "", len(word)/3+2
	for _, w := range words {
		if d := distance(word, w); d < limit {
			best, limit = w, d
		}
	}
	return best
}

// distance counts the letters to insert, delete or replace to turn a into b (Levenshtein 1966).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
