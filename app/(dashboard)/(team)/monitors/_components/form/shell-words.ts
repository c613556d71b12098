/** Quoted by `$'…'` of bash, as browsers copy commands with special characters. */
const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b', f: '\f', v: '\v', e: '\x1b' };

/** Reads one escape of `$'…'` after its backslash. @returns the character, and the position after it */
function readEscape(text: string, at: number): [character: string, next: number] {
  const kind = text[at] ?? '';
  const code = { x: /^[0-9a-fA-F]{1,2}/, u: /^[0-9a-fA-F]{1,4}/, U: /^[0-9a-fA-F]{1,8}/ }[kind];
  const digits = code?.exec(text.slice(at + 1, at + 9))?.[0];
  if (digits === undefined) return [escapes[kind] ?? kind, at + 1];
  const point = Number.parseInt(digits, 16);
  return [point <= 0x10ffff ? String.fromCodePoint(point) : '\uFFFD', at + 1 + digits.length];
}

export interface ShellWords {
  words: string[];
  /** Whether a second command, a pipe or a redirection follows, which was not read. */
  isCut: boolean;
  /** Whether a quote is not closed. */
  isOpen: boolean;
  /** Whether a shell would replace a variable or a substitution. */
  hasVariables: boolean;
}

/**
 * Splits the first command of a text into words, as a POSIX shell does (XCU §2.2 Quoting): quotes, backslashes, continued lines, and `$'…'` of bash.
 * Variables and substitutions stay as they are written. Takes time linear in the text.
 */
export function shellWords(text: string): ShellWords {
  const words: string[] = [];
  let word: string | null = null;
  let quote: "'" | '"' | "$'" | null = null;
  let at = 0;
  let hasVariables = false;
  const add = (characters: string) => {
    word = (word ?? '') + characters;
  };
  while (at < text.length) {
    const character = text[at] ?? '';
    const next = text[at + 1];
    at += 1;
    const isLiteral = quote === "'" || quote === "$'";
    if (!isLiteral && (character === '`' || (character === '$' && /[\w{(]/.test(next ?? '')))) hasVariables = true;
    if (quote === "'") {
      if (character === "'") quote = null;
      else add(character);
    } else if (quote === "$'") {
      if (character === "'") quote = null;
      else if (character === '\\' && next !== undefined) {
        const [escaped, after] = readEscape(text, at);
        add(escaped);
        at = after;
      } else add(character);
    } else if (quote === '"') {
      if (character === '"') quote = null;
      else if (character === '\\' && next !== undefined && '$`"\\\n'.includes(next)) {
        if (next !== '\n') add(next);
        at += 1;
      } else add(character);
    } else if (character === '\\' && next !== undefined) {
      if (next === '\r' && text[at + 1] === '\n') at += 2;
      else {
        if (next !== '\n') add(next);
        at += 1;
      }
    } else if (character === "'" || character === '"') {
      quote = character;
      add('');
    } else if (character === '$' && next === "'") {
      quote = "$'";
      at += 1;
      add('');
    } else if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
      if (character === '\n' && words.length > 0 && text.slice(at).trim() !== '') {
        return { words, isCut: true, isOpen: false, hasVariables };
      }
    } else if (';|&<>'.includes(character)) {
      if (word !== null) words.push(word);
      return { words, isCut: true, isOpen: false, hasVariables };
    } else add(character);
  }
  if (word !== null) words.push(word);
  return { words, isCut: false, isOpen: quote !== null, hasVariables };
}
