const DELIMITERS = [',', ';', '\t', '|'];
const QUOTE = '"';
/** How many characters of a text are used to find its delimiter. */
const SAMPLE_CHARACTERS = 16_384;

/** Reads the records of a text one after the other. */
class Scanner {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly delimiter: string,
  ) {}

  get isAtEnd() {
    return this.at >= this.text.length;
  }

  /** Reads the fields of the next record. Quoted fields may contain line breaks. */
  record(): string[] {
    const fields: string[] = [];
    for (;;) {
      fields.push(this.field());
      const next = this.text[this.at];
      this.at += 1;
      if (next === this.delimiter) continue;
      if (next === '\r' && this.text[this.at] === '\n') this.at += 1;
      return fields;
    }
  }

  private field(): string {
    if (this.text[this.at] !== QUOTE) return this.plain();
    const parts: string[] = [];
    for (;;) {
      const end = this.text.indexOf(QUOTE, this.at + 1);
      parts.push(this.text.slice(this.at + 1, end === -1 ? undefined : end));
      this.at = end === -1 ? this.text.length : end + 1;
      // A quote within quotes is doubled.
      if (this.text[this.at] !== QUOTE) break;
      parts.push(QUOTE);
    }
    return parts.join('') + this.plain();
  }

  private plain(): string {
    const from = this.at;
    while (!this.isAtEnd && !this.isEnd(this.text[this.at])) this.at += 1;
    return this.text.slice(from, this.at);
  }

  private isEnd(character: string | undefined): boolean {
    return character === this.delimiter || character === '\n' || character === '\r';
  }
}

/** Returns the delimiter that splits the first record into most fields. */
function delimiterOf(text: string): string {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const counts = DELIMITERS.map((delimiter) => [new Scanner(sample, delimiter).record().length, delimiter] as const);
  return counts.reduce((most, each) => (each[0] > most[0] ? each : most))[1];
}

/**
 * Parses CSV (RFC 4180) that is separated by commas, semicolons, tabs or bars. Trims fields and leaves out empty records.
 * @param most the maximum number of records that are read
 */
export function readRows(text: string, most: number): string[][] {
  const scanner = new Scanner(text, delimiterOf(text));
  const rows: string[][] = [];
  while (!scanner.isAtEnd && rows.length < most) {
    const fields = scanner.record().map((field) => field.trim());
    if (fields.some(Boolean)) rows.push(fields);
  }
  return rows;
}
