// Package interactions tests observe() of the runtime in real browsers: that slices name
// what was slow, that interactions are measured as others measure them, and that no page,
// however hostile, is harmed.
package interactions
