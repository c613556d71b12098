/**
 * The migration that creates the schema in an empty database. It replaces the migrations of development, whose names sort before it; a database that
 * those have created counts as having it once all of them are applied.
 */
export const BASELINE = '20261128000000_baseline';

/** Whether the baseline replaces a migration. */
export const isOfDevelopment = (name: string) => name < BASELINE;

/**
 * The migrations that lead a database to the current schema, oldest first: those of development only if it was created by them and does not have the baseline.
 *
 * @param applied the migrations that the database has; none if it is empty
 * @param known the migrations of this version, oldest first
 */
export function migrationsFor(applied: readonly string[], known: readonly string[]): string[] {
  const isInDevelopment = applied.some(isOfDevelopment) && !applied.includes(BASELINE);
  return known.filter((name) => isInDevelopment || !isOfDevelopment(name));
}
