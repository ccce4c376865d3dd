import {
  attend,
  raw,
  record,
  recordingOf,
  trace
} from "./chunk-EGVESHOI.js";
import "./chunk-OXGTEWU5.js";
import {
  cpuprofile,
  readTablesBy
} from "./chunk-UHPIY24D.js";
import "./chunk-MI2ED3SV.js";
import "./chunk-OL7LCS6D.js";
import "./chunk-MLKGABMK.js";
export {
  attend,
  cpuprofile,
  raw,
  readTablesBy,
  record,
  recordingOf,
  trace
};
