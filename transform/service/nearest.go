package service

import "strings"

// nearest finds the word that someone may have meant, or "" when none is near.
// Dashes and case do not count: min-statements is minStatements.
func nearest(word string, words []string) string {
	best, least := "", len(word)/2+1
	for _, candidate := range words {
		if d := distance(plain(word), plain(candidate)); d < least {
			best, least = candidate, d
		}
	}
	return best
}

func plain(word string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(word))
}

// distance is the number of letters to insert, delete, replace or swap with their
// neighbour to make one word of the other.
func distance(a, b string) int {
	const longest = 64 // no name is nearly so long
	if len(a) > longest || len(b) > longest {
		return longest
	}
	// Of the table of all pairs of beginnings, three rows are needed.
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := last[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(last[j]+1, row[j-1]+1, change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
