import { canParseUrl } from '@/server/platform/schema';

/** A name of a variable. */
export const VARIABLE_NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

const PLACEHOLDER = /\{\{\s*([A-Za-z][A-Za-z0-9_]{0,63})\s*\}\}/g;

/** The part of a URL before its path, or the placeholder that stands for a whole URL. */
const START_OF_URL = /^(?:[a-z]+:\/\/)?[^/?#]*/i;
const ONE_AT_START = /^\{\{\s*([A-Za-z][A-Za-z0-9_]{0,63})\s*\}\}/;

/** The variables that a text refers to. */
export const variablesIn = (text: string): string[] => [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);

/** The text with one character in place of each variable, as an example of what it becomes. */
export const exampleOf = (text: string): string => text.replace(PLACEHOLDER, '1');

/** The server that a URL names, before variables have values: "https://{{host}}:8443", or "{{next}}" for a whole URL. */
export const serverOf = (url: string): string => START_OF_URL.exec(url)?.[0] ?? '';

/** Whether the value of a variable decides which server a URL names. */
export const isServerVariable = (url: string): boolean => variablesIn(serverOf(url)).length > 0;

/** Whether a URL begins with a variable, whose value is a whole URL, or one relative to that of the step before. */
export const beginsWithVariable = (url: string): boolean => ONE_AT_START.test(url);

/** Why a request cannot be built from the values of variables. The message is a sentence for users. */
export class TemplateError extends Error {
  /** @param variable the one whose value does not fit, if there is one */
  constructor(
    message: string,
    readonly variable: string | null = null,
  ) {
    super(message);
  }
}

/** The maximum size of a request after its variables were replaced, in characters. */
export const MOST_OF_REQUEST = 256 * 1024;
/** The maximum length of a URL. */
export const MOST_OF_URL = 8_192;

type Escape = (value: string, before: string) => string;

/**
 * Replaces the variables of a text. The size of the result is computed from the literals and the escaped values before it is built.
 * @param escapeFor makes a value safe for its place; gets the literal text since the previous variable
 * @param most the maximum length of the result
 * @throws TemplateError
 */
export function expand(
  text: string,
  values: ReadonlyMap<string, string>,
  escapeFor: (name: string) => Escape,
  most: number,
): string {
  const pieces: string[] = [];
  let size = 0;
  let rest = 0;
  const add = (piece: string) => {
    size += piece.length;
    if (size > most) throw new TemplateError(`The request is longer than ${most.toLocaleString('en')} characters`);
    pieces.push(piece);
  };
  for (const { 0: whole, 1: name = '', index } of text.matchAll(PLACEHOLDER)) {
    const value = values.get(name);
    if (value === undefined) throw new TemplateError(`The variable "${name}" has no value`);
    const before = text.slice(rest, index);
    add(before);
    add(escapeFor(name)(value.toWellFormed(), before));
    rest = index + whole.length;
  }
  add(text.slice(rest));
  return pieces.join('');
}

const HOST_PART = /^(?:[A-Za-z0-9._-]+(?::\d{1,5})?|\[[0-9A-Fa-f:.]+\](?::\d{1,5})?)$/;

/** A part of a host name with its port, as it is: anything else could name another server or a path. */
const asHost =
  (name: string): Escape =>
  (value) => {
    if (HOST_PART.test(value)) return value;
    throw new TemplateError(`The value of "${name}" is no part of a host name`, name);
  };

/** A part of a path or a query (RFC 3986 §2.1). A value of dots alone would name another path. */
const asUrlPart =
  (name: string): Escape =>
  (value) => {
    if (value === '.' || value === '..') throw new TemplateError(`The value of "${name}" is no part of a path`, name);
    return encodeURIComponent(value);
  };

/**
 * A URL with its variables replaced. Values are percent-encoded. One that begins the URL is a whole URL, or relative to `base`.
 * @throws TemplateError
 */
export function expandUrl(text: string, values: ReadonlyMap<string, string>, base: URL | null): URL {
  const [whole, name = ''] = ONE_AT_START.exec(text) ?? [];
  const server = whole ?? serverOf(text);
  const asIs = (): Escape => (value) => value;
  const start = expand(server, values, whole === undefined ? asHost : asIs, MOST_OF_URL);
  const href = start + expand(text.slice(server.length), values, asUrlPart, MOST_OF_URL - start.length);
  const isUrl = (each: string) => canParseUrl(each, base ?? undefined);
  if (!isUrl(href) || (whole !== undefined && !isUrl(start))) {
    throw new TemplateError(whole === undefined ? 'The URL is not valid' : `The value of "${name}" is no URL`);
  }
  const url = new URL(href, base ?? undefined);
  // "/" and a literal "/example.com" would be another server than the value names.
  if (whole !== undefined && new URL(start, base ?? undefined).origin !== url.origin) {
    throw new TemplateError(`The text after "{{${name}}}" would change the server of the URL`, name);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TemplateError('The URL does not start with http:// or https://');
  }
  if (url.username || url.password) throw new TemplateError('The URL contains a username or password');
  return url;
}

const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * A header with its variables replaced.
 * @throws TemplateError if a value contains a line break or another character that a header cannot have
 */
export function expandHeader(text: string, values: ReadonlyMap<string, string>, most: number): string {
  const asHeader =
    (name: string): Escape =>
    (value) => {
      if (FIELD_VALUE.test(value)) return value;
      throw new TemplateError(`The value of "${name}" has characters that a header cannot contain`, name);
    };
  return expand(text, values, asHeader, most);
}

/** How variables are escaped in a body. */
export type BodyForm = 'json' | 'form' | 'xml' | 'plain';

/** The form of a body, by the content type that is sent with it. */
export function bodyForm(contentType: string): BodyForm {
  if (/\bjson\b/i.test(contentType)) return 'json';
  if (/x-www-form-urlencoded/i.test(contentType)) return 'form';
  return /\b(?:xml|html)\b/i.test(contentType) ? 'xml' : 'plain';
}

/** The content type of a body that is sent without one. */
export function guessContentType(template: string): string {
  const body = exampleOf(template);
  if (/^\s*[{[]/.test(body)) return 'application/json';
  return /^[^\s=&]+=/.test(body) ? 'application/x-www-form-urlencoded' : 'text/plain;charset=utf-8';
}

const JSON_SCALAR = /^(?:-?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?|true|false|null)$/;

/** Follows the strings of a JSON text, to escape values within them, and to write others as JSON values. */
function jsonEscape(): Escape {
  let isInString = false;
  return (value, before) => {
    for (let at = 0; at < before.length; at += 1) {
      if (before[at] === '\\' && isInString) at += 1;
      else if (before[at] === '"') isInString = !isInString;
    }
    if (isInString) return JSON.stringify(value).slice(1, -1);
    return JSON_SCALAR.test(value) ? value : JSON.stringify(value);
  };
}

const XML: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeOf(form: BodyForm): Escape {
  switch (form) {
    case 'json':
      return jsonEscape();
    case 'form':
      return (value) => encodeURIComponent(value);
    case 'xml':
      return (value) => value.replace(/[&<>"']/g, (character) => XML[character] ?? '');
    case 'plain':
      return (value) => value;
    default:
      return form satisfies never;
  }
}

/**
 * A body with its variables replaced.
 * @throws TemplateError
 */
export function expandBody(text: string, values: ReadonlyMap<string, string>, form: BodyForm, most: number): string {
  const escaped = escapeOf(form);
  return expand(text, values, () => escaped, most);
}
