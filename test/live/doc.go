// Package live tests that pages and workers stream their profiles: in real browsers,
// to a small server of its own.
package live
