// Package texts holds functions to their source's text: instrumented functions show
// their original text, in the text of every function of npm packages and in the
// functions of running fixtures; and packages that send functions as text, or read
// what functions are from it, do the same instrumented as original, in Node and
// in a browser.
package texts
