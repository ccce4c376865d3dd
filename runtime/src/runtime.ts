// The classic script: a page or worker loads it before its instrumented ones.
import "./core";
