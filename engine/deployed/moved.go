// Package moved_to_transform_instrumented_and_engine_protocol is empty: the instrumented
// script is now in transform/instrumented, and the messages of a run in engine/protocol.
//
// Deprecated: import transform/instrumented or engine/protocol.
package moved_to_transform_instrumented_and_engine_protocol
