import { JSONPathEnvironment, type JSONPathQuery } from 'json-p3';

/** Each `..` walks all that lies below; a third could make a small document take minutes. */
const MOST_DESCENTS = 2;
const TEXT = /'(?:[^'\\]|\\.)*'/g;

/** Compiles a JSON path (RFC 9535). Throws where it is wrong, or has more than two `..` steps, those in filters among them. */
export function compileJsonPath(environment: JSONPathEnvironment, path: string): JSONPathQuery {
  const query = environment.compile(path);
  // In its canonical form, all names and texts of a path stand in single quotes.
  const descents = query.toString().replace(TEXT, '').split('..').length - 1;
  if (descents > MOST_DESCENTS) throw new Error(`more than ${MOST_DESCENTS} ".." steps`);
  return query;
}

const plain = new JSONPathEnvironment();

/** What is wrong with a JSON path, in words; null where nothing is. */
export function jsonPathFault(path: string): string | null {
  try {
    compileJsonPath(plain, path);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'it is not valid';
  }
}
