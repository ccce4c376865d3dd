// Package spool keeps records on disk, in the order in which they came, until they are
// consumed.
//
// # On disk
//
// Records are in segments, files that only grow. A segment's name has its number and the salt of
// its checksums, so that no sender can make bytes that pass for a record. It begins with a
// header, which says which segment was the previous one and where it ends:
//
//	"FPSP"    version u32  previous segment i64  its end i64          checksum u32
//	salt u32  length u32   checksum u32          Unix time in ms i64  content
//	…
//
// The file "position" says up to where records are consumed, which records are being consumed,
// and the id of the spool. It has two slots that are written in turn, so that one of them is whole
// whenever the machine stops, and needs no room on a disk that is full.
//
// # What fails
//
// Append returns when its records are on disk. All that wait at the same time are written and
// synchronized together. If writing fails, all of them get the error, and the segment is cut back to
// where it was. If that fails, or synchronizing does, the content of the file is unknown: it is
// left alone, and the next records begin another segment. After a crash the last
// segment ends with its last whole record. Damage anywhere else is counted and skipped.
package spool
