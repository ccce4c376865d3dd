// Package archive keeps what the bench measured so that others can check it: a folder
// of files with a manifest, which has their sizes and SHA-256 sums, and, of raw samples,
// where they come from. A folder packs into one file for a release.
//
// Sums find what was damaged, lost or changed by mistake. They are not a signature: a person
// who can write the files can write the manifest.
//
// recording.schema.json and manifest.schema.json describe the files (JSON Schema, draft
// 2020-12) to other programs.
package archive
