// Package coordinator raises the flag.
package coordinator
