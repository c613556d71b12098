/** A tool or format whose files can be imported. */
export interface Source {
  label: string;
  summary: string;
  /** How to get the file, in sentences. */
  help: string;
  /** The command that saves it. */
  command?: string;
  /** The file name endings, separated by commas. */
  files: string;
  /** Whether users choose the column of each setting. */
  hasColumns?: true;
  /** The label of a text field, if the content can be typed instead of uploaded. */
  typed?: string;
}
