/** A line of a JSON document for display: a value, or the start or end of an object or list. */
export interface JsonLine {
  /** The path of the value (RFC 9535), which is unique but for the end of its object or list. */
  path: string;
  depth: number;
  /** What precedes the value: `"status": `, or nothing in a list. */
  label: string;
  /** The value as JSON; for objects and lists one bracket. */
  text: string;
  /** The value that a rule can compare; undefined for brackets and null. */
  value: string | number | boolean | undefined;
  isLast: boolean;
}

/** The maximum number of lines, because each is rendered. */
const MOST_LINES = 500;

/** One step of a path: `.name`, or in brackets with the escapes of RFC 9535 §2.3.1.1. */
function stepOf(key: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) return `.${key}`;
  return `['${key.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}']`;
}

type Place = Pick<JsonLine, 'path' | 'depth' | 'label' | 'isLast'>;

function addLines(lines: JsonLine[], value: unknown, place: Place): void {
  if (lines.length >= MOST_LINES) return;
  if (typeof value !== 'object' || value === null) {
    const isComparable = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    lines.push({ ...place, text: JSON.stringify(value), value: isComparable ? value : undefined });
    return;
  }
  const isList = Array.isArray(value);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const entries = Object.entries(value);
  if (entries.length === 0) {
    lines.push({ ...place, text: `${open}${close}`, value: undefined });
    return;
  }
  lines.push({ ...place, text: open, value: undefined, isLast: true });
  for (const [index, [key, inner]] of entries.entries()) {
    addLines(lines, inner, {
      path: `${place.path}${isList ? `[${index}]` : stepOf(key)}`,
      depth: place.depth + 1,
      label: isList ? '' : `${JSON.stringify(key)}: `,
      isLast: index === entries.length - 1,
    });
  }
  if (lines.length < MOST_LINES) lines.push({ ...place, label: '', text: close, value: undefined });
}

/** The lines of a JSON object or list, at most 500; null for any other text. */
export function toJsonLines(text: string): JsonLine[] | null {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof document !== 'object' || document === null) return null;
  const lines: JsonLine[] = [];
  addLines(lines, document, { path: '$', depth: 0, label: '', isLast: true });
  return lines;
}
