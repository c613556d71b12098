/** Statements that get a name, in all. */
const MOST = 500;
/** Of statements that differ only in how many values they list, so many get one. */
const MOST_ALIKE = 4;
/** No statement that is written by hand is this long: it lists values. */
const LONGEST = 20_000;

/**
 * What statements have in common that differ in how many values they list: `in ($1, $2)` and `in ($1, $2, $3)`,
 * `values ($1, $2), ($3, $4)` and `values ($1, $2)`.
 */
function shapeOf(sql: string): string {
  return sql
    .replace(/\$\d+/g, '$')
    .replace(/\$(?:, ?\$)+/g, '$')
    .replace(/(\([^()]*\))(?:, ?\1)+/g, '$1');
}

/**
 * Names statements, so that a connection plans each once and not at every use: for the one that finds the caller that is
 * nine tenths of its cost. A connection keeps what has a name for good. So lists of values, which Prisma writes anew for every
 * number of them, get a few names and then none: they neither fill its memory nor use up the names of the others.
 */
export class StatementNames {
  private readonly names = new Map<string, string>();
  private readonly alike = new Map<string, number>();

  /** The name of a statement, the same whenever it is asked; empty where it has none. */
  nameOf(sql: string): string {
    const name = this.names.get(sql);
    if (name !== undefined) return name;
    if (this.names.size >= MOST || sql.length > LONGEST) return '';
    const shape = shapeOf(sql);
    const alike = this.alike.get(shape) ?? 0;
    if (alike >= MOST_ALIKE) return '';
    this.alike.set(shape, alike + 1);
    const given = `s${this.names.size}`;
    this.names.set(sql, given);
    return given;
  }
}
