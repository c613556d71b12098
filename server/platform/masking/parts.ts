import { canParseUrl } from '../schema';
import { GRAM } from './grams';

/** What a secret is: `text` and `url` may contain one anywhere, in a URL behind its path; in a `capability` URL also in its path. */
export interface Secret {
  value: string;
  kind: 'credential' | 'url' | 'capability' | 'text';
}

/** A text to look for. */
export interface Part {
  text: string;
  /**
   * How many bytes of it in a row are masked wherever they occur, without regard to case. `word`: it is masked only as a whole word, in its own case. A part
   * shorter than 8 bytes is always a word: "prod" is masked, but neither in "product" nor in "Prod".
   */
  width: number | typeof WORD;
}

export const WORD = 'word';

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
  if (!canParseUrl(text)) return [];
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

/** The longest part that is a word. */
export const LONGEST_WORD = 15;
/** A segment of a path that is a name rather than a token, such as "mattermost" or "webhooks". A shorter one is no secret. */
const NAME = /^[A-Za-z]+$/;
const SHORTEST_NAME = 6;

/** The parts of a URL's path and query that may hold a secret: names in their own case, and what stands between them. */
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
      return [...partsOfPath(value), ...partsOfUrl(value).map(certain)];
    default:
      return kind satisfies never;
  }
}
