import { GRAM } from './grams';

/** What a secret is: `text` and `url` may contain one anywhere, in a URL behind its path; in a `capability` URL also in its path. */
export interface Secret {
  value: string;
  kind: 'credential' | 'url' | 'capability' | 'text';
}

/** A text to look for. */
export interface Part {
  text: string;
  /** How many bytes of it in a row are masked wherever they occur. A shorter part is masked only where it stands alone: "prod", but not in "product". */
  width: number;
}

/** A shorter part is too common a word to be looked for. */
export const SHORTEST = 4;
const SHORTEST_TOKEN = 12;
/** Of a text that is not known to be a secret, such as a request body, this much in a row is one. */
const WIDTH_OF_TEXT = 2 * GRAM;

/** Header names whose values are credentials also where they are short. */
const secretName = /auth|cookie|token|secret|pass(word|phrase)|credential|signature|session|(^|[-_])key$|api-?key/i;

function leavesOf(value: unknown, name: string): string[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, each]) => leavesOf(each, Array.isArray(value) ? name : key));
  }
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return text.length >= GRAM || secretName.test(name) ? [text] : [];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

const valuesOf = (query: string) => [...new URLSearchParams(query).values()];

/** A text that may contain a secret anywhere: its JSON values, its form values, and whatever looks like a token. */
function partsOfText(text: string): string[] {
  const tokens = text.split(/[\s"'<>&=,;:{}()[\]]+/).filter((token) => token.length >= SHORTEST_TOKEN);
  return [...leavesOf(parseJson(text), ''), ...(text.includes('=') ? valuesOf(text) : []), ...tokens];
}

function partsOfUrl(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const { username, password, search, searchParams } = new URL(text);
  const raw = search
    .slice(1)
    .split('&')
    .map((pair) => pair.replace(/^[^=]*=/, ''));
  return [username, password, search.slice(1), ...raw, ...searchParams.values()];
}

/** The name of a scheme (RFC 9110 §11) is no secret. */
const scheme = /^(basic|bearer|digest|negotiate|token)$/i;

/** "Bearer abc", "a=b; c=d": the parts of a header's value that may be quoted alone. */
const partsOfHeader = (value: string) => value.split(/[\s;,]+|(?<=\w)=(?!=|$)/).filter((part) => !scheme.test(part));

/** Words have few digits, and addresses have slashes. */
const looksRandom = (text: string) => /\d.*\d/s.test(text) && /[a-z]/i.test(text) && !/\s|\/\//.test(text);

const certain = (text: string): Part => ({ text, width: GRAM });
const possible = (text: string): Part => ({ text, width: looksRandom(text) ? GRAM : WIDTH_OF_TEXT });

/** The parts of a URL's path that may hold a secret. A shorter one is a word of the provider's, such as "api" or "hooks". */
function partsOfPath(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const { pathname, search } = new URL(text);
  return [(pathname + search).slice(1), ...pathname.split('/').filter((segment) => segment.length >= 6)];
}

/** What to look for of a secret. */
export function partsOf({ value, kind }: Secret): Part[] {
  switch (kind) {
    case 'credential':
      return [value, ...partsOfHeader(value)].map(certain);
    case 'text':
      return [{ text: value, width: WIDTH_OF_TEXT }, ...[...partsOfText(value), ...partsOfHeader(value)].map(possible)];
    case 'url':
      return partsOfUrl(value).map(possible);
    case 'capability':
      return [...partsOfPath(value), ...partsOfUrl(value)].map(certain);
    default:
      return kind satisfies never;
  }
}
