// Where the runtime's other files are.
export const place: {
  /** URL of the folder with a slash behind it; empty when unknown. */
  base: string;
} = { base: "" };
