// The module form: an instrumented module imports it first. It imports nothing of the
// page's, so even in an import cycle it has run before any function that needs it.
import { checks } from "../core/flag";

export const { flag, entry, loop, exit } = checks;
