// Package moved_to_engine_instrumented_and_engine_protocol has nothing in it: the script
// with its way back to the sources is engine/instrumented now, what a run's two processes
// say to each other engine/protocol.
//
// Deprecated: import engine/instrumented or engine/protocol.
package moved_to_engine_instrumented_and_engine_protocol
