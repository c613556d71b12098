import { JSONPathEnvironment, type JSONPathQuery } from 'json-p3';

/** The maximum number of `..` steps. Each walks the whole subtree; a third could take minutes on a small document. */
const MOST_DESCENTS = 2;
const TEXT = /'(?:[^'\\]|\\.)*'/g;

/**
 * Compiles a JSON path (RFC 9535).
 * @throws Error if it is invalid, or has more than two `..` steps, including those in filters
 */
export function compileJsonPath(environment: JSONPathEnvironment, path: string): JSONPathQuery {
  const query = environment.compile(path);
  // In its canonical form, all names and strings of a path are in single quotes.
  const descents = query.toString().replace(TEXT, '').split('..').length - 1;
  if (descents > MOST_DESCENTS) throw new Error(`more than ${MOST_DESCENTS} ".." steps`);
  return query;
}

const plain = new JSONPathEnvironment();

/** Returns the error of a JSON path in words; null if it compiles. */
export function jsonPathFault(path: string): string | null {
  try {
    compileJsonPath(plain, path);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'it is not valid';
  }
}
