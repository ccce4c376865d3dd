declare const FIELDPROF_VERSION: string;

/** The release; the build puts it here. */
export const version = FIELDPROF_VERSION;
