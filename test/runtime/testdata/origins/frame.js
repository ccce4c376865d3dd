function inFrame(work) { work(); }
