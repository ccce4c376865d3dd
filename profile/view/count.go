package view

import "fmt"

// Count is a number of things by their name in the singular, to which an s makes the plural: "1 budget", "3 budgets".
func Count(n int, name string) string {
	if n == 1 {
		return "1 " + name
	}
	return fmt.Sprintf("%d %ss", n, name)
}
