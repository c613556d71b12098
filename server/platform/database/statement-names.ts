/** The maximum number of named statements. */
const MOST = 500;
/** The maximum number of names for statements that differ only in the number of listed values. */
const MOST_ALIKE = 4;
/** Longer statements contain lists of values and get no name. */
const LONGEST = 20_000;

/**
 * Returns the common form of statements that differ only in the number of listed values, such as `in ($1, $2)` and `in ($1, $2, $3)`, or `values ($1,
 * $2), ($3, $4)` and `values ($1, $2)`.
 */
function shapeOf(sql: string): string {
  return sql
    .replace(/\$\d+/g, '$')
    .replace(/\$(?:, ?\$)+/g, '$')
    .replace(/(\([^()]*\))(?:, ?\1)+/g, '$1');
}

/**
 * Names prepared statements, so that a connection plans each once instead of at every use: planning is nine tenths of the cost of finding the caller.
 * A connection keeps named statements forever. Prisma writes a list of values differently for every length, so such statements get a few names, and
 * further ones none.
 */
export class StatementNames {
  private readonly names = new Map<string, string>();
  private readonly alike = new Map<string, number>();

  /** Returns the name of a statement, stable across calls; empty for none. */
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
