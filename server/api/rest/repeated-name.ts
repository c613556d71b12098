const QUOTE = 34;
const COMMA = 44;
const BRACKET = 91;
const BACKSLASH = 92;
const BRACKET_END = 93;
const BRACE = 123;
const BRACE_END = 125;

/** An object or array that is being read: the current position, and the names of an object so far. */
interface Open {
  at: string | number;
  names: Set<string> | null;
}

/** Returns the dotted path of the position, truncated if names or nesting are long. */
function pathOf(open: Open[]): string {
  return open
    .slice(0, 20)
    .map(({ at }) => String(at).slice(0, 100))
    .join('.');
}

/** Returns the index of the quote that ends the string starting at `start`. */
function endOfString(json: string, start: number): number {
  let end = start;
  for (let code = json.charCodeAt(end); code !== QUOTE; code = json.charCodeAt(end)) end += code === BACKSLASH ? 2 : 1;
  return end;
}

/**
 * Returns the dotted path of the first name that is repeated in an object of a JSON text, or null. RFC 8259 §4 leaves open which value counts, and
 * `JSON.parse` silently uses the last. Compares names unescaped.
 * @param json a text that `JSON.parse` has accepted; read once, in linear time
 */
export function findRepeatedName(json: string): string | null {
  const open: Open[] = [];
  let isName = false;
  for (let index = 0; index < json.length; index += 1) {
    const within = open.at(-1);
    switch (json.charCodeAt(index)) {
      case BRACE:
        open.push({ at: '', names: new Set() });
        isName = true;
        break;
      case BRACKET:
        open.push({ at: 0, names: null });
        isName = false;
        break;
      case BRACE_END:
      case BRACKET_END:
        open.pop();
        isName = false;
        break;
      case COMMA:
        if (typeof within?.at === 'number') within.at += 1;
        else isName = true;
        break;
      case QUOTE: {
        const end = endOfString(json, index + 1);
        if (isName && within?.names) {
          const text = json.slice(index + 1, end);
          within.at = text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
          if (within.names.has(within.at)) return pathOf(open);
          within.names.add(within.at);
        }
        isName = false;
        index = end;
        break;
      }
      default:
    }
  }
  return null;
}
