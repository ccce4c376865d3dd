// node --import @fieldprof/runtime/register app.js
//
// Records an instrumented app from before its first line, and its worker threads: see
// docs/node.md for what the environment can ask for.
import { readFile, stat } from "node:fs/promises";
import { install } from "../api/install";
import { begin } from "../node/preload";
import { setLoader } from "../recording/parts";
import { readFrom } from "../trace/disk";
import * as trace from "./trace";

setLoader(() => Promise.resolve(trace));
trace.readTablesBy(readFrom({ readFile, stat }));
install();
begin();
