import { canParseUrl } from '../schema';
import { GRAM } from './grams';

/**
 * A value that contains a secret. A `credential` is secret as a whole. A `text` may contain a secret anywhere, a `url` in its userinfo and query, and
 * a `capability` URL also in its path.
 */
export interface Secret {
  value: string;
  kind: 'credential' | 'url' | 'capability' | 'text';
}

/** A pattern to search for. */
export interface Part {
  text: string;
  /**
   * The number of consecutive bytes that are masked wherever they occur, case-insensitively. `word`: masked only as a whole word, case-sensitively.
   * Patterns below 8 bytes are always words: "prod" is masked, but neither in "product" nor in "Prod".
   */
  width: number | typeof WORD;
}

export const WORD = 'word';

/** Shorter patterns are too common as words to be masked. */
export const SHORTEST = 4;
const SHORTEST_TOKEN = 12;
/** For a text that is not known to be a secret, such as a request body, this many consecutive bytes are masked. */
const WIDTH_OF_TEXT = 2 * GRAM;

/** Names of headers and fields whose values are secret even if they are short. */
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

/** Returns the parts of a text that may be secret: its JSON values, its form values, and everything that resembles a token. */
function partsOfText(text: string): string[] {
  const tokens = text.split(/[\s"'<>&=,;:{}()[\]]+/).filter((token) => token.length >= SHORTEST_TOKEN);
  return [...leavesOf(parseJson(text), ''), ...(text.includes('=') ? valuesOf(text) : []), ...tokens];
}

function partsOfUrl(text: string): string[] {
  if (!canParseUrl(text)) return [];
  const { username, password, search, searchParams } = new URL(text);
  const raw = search
    .slice(1)
    .split('&')
    .map((pair) => pair.replace(/^[^=]*=/, ''));
  return [username, password, search.slice(1), ...raw, ...searchParams.values()];
}

/** Authentication schemes (RFC 9110 §11), which are not secret. */
const scheme = /^(basic|bearer|digest|negotiate|token)$/i;

/** Returns the parts of a header's value that may be quoted separately: "abc" of "Bearer abc", "b" of "a=b; c=d". */
const partsOfHeader = (value: string) => value.split(/[\s;,]+|(?<=\w)=(?!=|$)/).filter((part) => !scheme.test(part));

/** Whether a text looks like a token. Words have too few digits, and addresses contain slashes. */
const looksRandom = (text: string) => /\d.*\d/s.test(text) && /[a-z]/i.test(text) && !/\s|\/\//.test(text);

const certain = (text: string): Part => ({ text, width: GRAM });
const possible = (text: string): Part => ({ text, width: looksRandom(text) ? GRAM : WIDTH_OF_TEXT });

/** The maximum length of a pattern that is a word. */
export const LONGEST_WORD = 15;
/** A path segment that is a name instead of a token, such as "mattermost" or "webhooks". */
const NAME = /^[A-Za-z]+$/;
const SHORTEST_NAME = 6;

/** Returns the patterns of a URL's path and query that may be secret. Names are matched as words, case-sensitively. */
function partsOfPath(text: string): Part[] {
  if (!canParseUrl(text)) return [];
  const { pathname, search } = new URL(text);
  const segments = pathname.slice(1).split('/');
  const isName = (segment: string) => NAME.test(segment) && segment.length <= LONGEST_WORD;
  const between: string[][] = [[]];
  for (const segment of segments) {
    if (isName(segment)) between.push([]);
    else between.at(-1)?.push(segment);
  }
  const last = between.at(-1) ?? [];
  const rest = [...between.slice(0, -1).map((each) => each.join('/')), `${last.join('/')}${search}`];
  const names = segments.filter((segment) => isName(segment) && segment.length >= SHORTEST_NAME);
  const tokens = segments.filter((segment) => !isName(segment) && segment.length >= SHORTEST_NAME);
  return [...names.map((name): Part => ({ text: name, width: WORD })), ...[...rest, ...tokens].map(certain)];
}

/** The first and last line of a key in PEM form (RFC 7468), whose words are not secret. */
const PEM_LABELS = /^-----(?:BEGIN|END) [A-Z ]+-----$/gm;

/** Returns the patterns to search for, so that a secret is found even if a text repeats only a part of it. */
export function partsOf({ value, kind }: Secret): Part[] {
  switch (kind) {
    case 'credential': {
      const secret = value.replace(PEM_LABELS, '');
      return [secret, ...partsOfHeader(secret)].map(certain);
    }
    case 'text':
      return [{ text: value, width: WIDTH_OF_TEXT }, ...[...partsOfText(value), ...partsOfHeader(value)].map(possible)];
    case 'url':
      return partsOfUrl(value).map(possible);
    case 'capability':
      return [...partsOfPath(value), ...partsOfUrl(value).map(certain)];
    default:
      return kind satisfies never;
  }
}
