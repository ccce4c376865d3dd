import {
  Profiler,
  install
} from "./chunk-LKN7TMGT.js";
import {
  loadParts,
  setLoader
} from "./chunk-OXGTEWU5.js";
import "./chunk-MI2ED3SV.js";
import "./chunk-OL7LCS6D.js";
import "./chunk-MLKGABMK.js";

// runtime/src/index.ts
setLoader(() => import("./trace.js"));
export {
  Profiler,
  install,
  loadParts
};
