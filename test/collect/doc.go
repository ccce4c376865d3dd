// Package collect has the tests of the field collector as a whole: pages in real browsers send
// to it, and people look at it in them. `make demo-field` is in demo.
package collect
