// Package ingest receives what field sessions send: our own envelopes, the bare traces of the JS
// Self-Profiling API, what the SDKs of Sentry and Datadog send, pprof and OTLP. docs/ingest.md
// is its documentation for users.
//
// # A request
//
// handler.go takes a request through its stations: the key names the app (apps.go), the
// page's origin must be one of the app's (cors.go), Do Not Track ends it, and rates and the number of
// requests at once are limited (limits.go). Only then is the body read, never further than its
// limits (body.go). A decoder of the endpoint (envelope.go, sentry.go, datadog.go, foreign.go)
// makes messages of it, finish.go turns these into chunks, and the request is acknowledged
// once Accept has returned.
//
// # Hostile senders
//
// Keys are in pages, so anyone can send anything. Every text is cleaned and cut (text.go), every
// number is bounded, stacks are cut to a depth (tidy.go), labels have a limited number of
// values and series (caps.go), and one app's load cannot occupy another's share. Addresses exist only
// as salted hashes, in memory, for as long as their rate is limited.
package ingest
