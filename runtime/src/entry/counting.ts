// The script that `instrument DIR --train` puts in the place of the runtime, under each of its
// names: it is classic, module and CommonJS alike. It counts, and records nothing.
import "../counting/digits"; // before core/text.ts
import "../core/element";
import { checks } from "../core/flag";
import { keep } from "../counting/keeping";
import { counts, register } from "../counting/units";

if (!checks.train) {
  checks.train = register;
  checks.counts = counts;
  keep();
}
