package sqlite

// The tables:
//
//   - Dictionaries (label to site) number within each app what is long. `seen` is the latest period
//     (dictionary.go) in which a word was used.
//   - A cell is the sum of a series over a minute, an hour or a day (grain). Its ticks are in part,
//     which is written in order of arrival: cells are small, and found by their key.
//   - seen and view are what must be known to count nothing twice. They are removed by generation.
//   - level says how far cells are rolled up, and which are no longer kept.
const schema = `
CREATE TABLE app (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

CREATE TABLE label (app INTEGER, id INTEGER, hash INTEGER, name TEXT, value TEXT, seen INTEGER, PRIMARY KEY (app, id)) WITHOUT ROWID;
CREATE UNIQUE INDEX label_hash ON label (app, hash);
CREATE TABLE series (app INTEGER, id INTEGER, hash INTEGER, slow INTEGER, rate REAL, interval INTEGER, labels BLOB, seen INTEGER, PRIMARY KEY (app, id)) WITHOUT ROWID;
CREATE UNIQUE INDEX series_hash ON series (app, hash);
CREATE TABLE function (app INTEGER, id INTEGER, hash INTEGER, name TEXT, file TEXT, line INTEGER, col INTEGER, flags INTEGER, seen INTEGER, PRIMARY KEY (app, id)) WITHOUT ROWID;
CREATE UNIQUE INDEX function_hash ON function (app, hash);
CREATE TABLE frame (app INTEGER, id INTEGER, hash INTEGER, function INTEGER, line INTEGER, col INTEGER, seen INTEGER, PRIMARY KEY (app, id)) WITHOUT ROWID;
CREATE UNIQUE INDEX frame_hash ON frame (app, hash);
CREATE TABLE site (app INTEGER, id INTEGER, hash INTEGER, kind INTEGER, marker INTEGER, frames BLOB, seen INTEGER, PRIMARY KEY (app, id)) WITHOUT ROWID;
CREATE UNIQUE INDEX site_hash ON site (app, hash);

CREATE TABLE cell (app INTEGER, tier INTEGER, grain INTEGER, period INTEGER, series INTEGER, start INTEGER, sums BLOB, part INTEGER,
	PRIMARY KEY (app, tier, grain, period, series, start)) WITHOUT ROWID;
CREATE TABLE part (id INTEGER PRIMARY KEY, data BLOB);
CREATE TABLE level (grain INTEGER PRIMARY KEY, rolled INTEGER, app INTEGER, tier INTEGER, series INTEGER, kept INTEGER);
INSERT INTO level VALUES (0, 0, 0, 0, 0, -1000000000), (1, -1000000000, 0, 0, 0, -1000000000), (2, -1000000000, 0, 0, 0, -1000000000);

CREATE TABLE generation (id INTEGER PRIMARY KEY, began INTEGER);
INSERT INTO generation VALUES (1, NULL);
CREATE TABLE seen (generation INTEGER, id BLOB, PRIMARY KEY (generation, id)) WITHOUT ROWID;
CREATE TABLE view (generation INTEGER, app INTEGER, id BLOB, state BLOB, PRIMARY KEY (generation, app, id)) WITHOUT ROWID;

CREATE TABLE slice (n INTEGER PRIMARY KEY, app INTEGER, day INTEGER, at INTEGER, id BLOB, series INTEGER, view BLOB,
	what TEXT, name TEXT, target TEXT, detail TEXT, time INTEGER, duration INTEGER, input_delay INTEGER, processing INTEGER, presentation INTEGER,
	cause TEXT, cause_file TEXT, cause_line INTEGER, cause_col INTEGER, cause_flags INTEGER, cause_group TEXT, cause_time INTEGER, trace BLOB);
CREATE INDEX slice_longest ON slice (app, day, duration DESC, id, at, series, what);
CREATE INDEX slice_id ON slice (app, id);
CREATE TABLE example (n INTEGER PRIMARY KEY, app INTEGER, at INTEGER, id BLOB, series INTEGER, slow INTEGER, ticks INTEGER, busy INTEGER, profile BLOB);
CREATE INDEX example_latest ON example (app, at DESC, id, slow, series);
CREATE INDEX example_id ON example (app, id);

CREATE TABLE release (app INTEGER, name TEXT, last INTEGER, PRIMARY KEY (app, name)) WITHOUT ROWID;
CREATE TABLE file (id INTEGER PRIMARY KEY, app INTEGER, release TEXT, name TEXT, kind TEXT, debug_id TEXT, size INTEGER, stored INTEGER, uploaded INTEGER,
	UNIQUE (app, release, name));
CREATE TABLE piece (file INTEGER, n INTEGER, data BLOB, PRIMARY KEY (file, n));
CREATE TABLE ready (n INTEGER PRIMARY KEY, at INTEGER);
INSERT INTO ready VALUES (1, 0);
`

// migrations lead from each version of the format to the next: the first one from an empty
// file to version 1. A change of the layout appends one, and never changes another.
var migrations = []string{schema}

// application marks a file as a store of fieldprof's, in SQLite's header.
const application = 0x66707366
