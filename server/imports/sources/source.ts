/** A tool or format whose files can be imported. */
export interface Source {
  label: string;
  summary: string;
  /** How to get the file, in sentences. */
  help: string;
  /** The command that saves it. */
  command?: string;
  /** The endings of its name. */
  files: string;
  /** Whether users choose which column of the file has which setting. */
  hasColumns?: true;
  /** The label of a field for the content, which can also be typed. */
  typed?: string;
}
