/** Whether this is built into the live panel. A report's data never changes, so its script has none of what follows newer data. */
declare const LIVE: boolean;
