// Package collecting measures the field collector: how fast it acknowledges what pages send,
// what a chunk costs in processor time, memory and disk, and how fast questions about a day
// are answered.
//
// The collector is the program itself, a process of its own with its default store. The load
// comes from this process, in an open loop: requests are sent when they are due, however long
// earlier ones take, and the time of an acknowledgement counts from then. Everything is about
// an app that does not exist (program.go), whose chunks have the size and the variety of
// real ones: a minute at 10 ms, about 300 stacks, and labels of many browsers.
//
// Questions are asked of a store that holds a day of a million chunks, written directly.
package collecting
