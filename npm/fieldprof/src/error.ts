/** An error with a message for the user. */
export class FieldprofError extends Error {
  override name = "FieldprofError";
  /** The wrong option, if any. */
  option?: string;
  /** The tree was made, but could not be written. */
  writing?: boolean;

  constructor(text: string, { option, writing }: { option?: string; writing?: boolean } = {}) {
    super(text);
    if (option !== undefined) this.option = option;
    if (writing) this.writing = true;
  }
}
