// Package building measures what building costs: the time, the memory and the bytes
// of the transform, of whole directories, of the plugins and of conversions.
package building
