// Where the runtime's other files are.
export const files: {
  /** URL of the folder with a slash at the end; empty when unknown. */
  base: string;
} = { base: "" };
