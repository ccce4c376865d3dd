/** What went wrong, in words for the user. */
export class FieldprofError extends Error {
  override name = "FieldprofError";
  /** The option that is wrong, if one is. */
  option?: string;
  /** The tree was made, and could not be written. */
  writing?: boolean;

  constructor(text: string, { option, writing }: { option?: string; writing?: boolean } = {}) {
    super(text);
    if (option !== undefined) this.option = option;
    if (writing) this.writing = true;
  }
}
