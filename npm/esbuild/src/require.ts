// The package for require: the plugin itself, which is its own default.
import fieldprof from "./index";

module.exports = Object.assign(fieldprof, { default: fieldprof });
