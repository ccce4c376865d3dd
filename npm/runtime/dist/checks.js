import {
  checks
} from "./chunk-OL7LCS6D.js";
import "./chunk-MLKGABMK.js";

// runtime/src/checks.ts
var { flag, capture, entry, loop, exit } = checks;
export {
  capture,
  entry,
  exit,
  flag,
  loop
};
