import { closest } from 'fastest-levenshtein';
import { z } from 'zod';
import { fitText, inBytes } from '../providers/shorten';
import { isPlaceholder, type Placeholder, placeholderNames, SHORTEST_TEXT, wholeValues } from './placeholders';

/** Two braces, a name, two braces. Matches in linear time, because the name contains no brace. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/;

/** The context that a template is rendered into: how its values are cleaned and escaped there, and the maximum size in bytes of UTF-8. */
export interface Target {
  name: string;
  mostBytes: number;
  /** Cleans the whole value before it is escaped. */
  clean?: (value: string) => string;
  /** Escapes each character independently of the others. */
  escape: (text: string) => string;
  /** The escaped end of a shortened value. */
  ellipsis: string;
}

/** The body of a custom request; receivers commonly accept 100 KB. */
const MOST_BODY = 65_536;
/** The minimum length that servers should accept for a URL (RFC 9110 §4.1), and commonly accept for headers. */
const MOST_LINE = 8_000;

export const targets = {
  /** The text of any kind of message. Providers accept at most 20,000 characters and shorten it to their own limits. */
  message: { name: 'text', mostBytes: 32_768, escape: (text) => text, ellipsis: '…' },
  subject: { name: 'subject', mostBytes: 4_096, escape: (text) => text, ellipsis: '…' },
  text: { name: 'body', mostBytes: MOST_BODY, escape: (text) => text, ellipsis: '…' },
  /** Inside a string of a JSON document (RFC 8259 §7). */
  json: { name: 'body', mostBytes: MOST_BODY, escape: (text) => JSON.stringify(text).slice(1, -1), ellipsis: '…' },
  form: { name: 'body', mostBytes: MOST_BODY, escape: encodeURIComponent, ellipsis: encodeURIComponent('…') },
  /** A component of a URL (RFC 3986 §2.1). */
  url: { name: 'URL', mostBytes: MOST_LINE, escape: encodeURIComponent, ellipsis: encodeURIComponent('…') },
  /** One line of visible characters per header (RFC 9110 §5.5). */
  headers: {
    name: 'header section',
    mostBytes: MOST_LINE,
    clean: (value) =>
      value
        .replace(/[^\x20-\x7e]+/g, ' ')
        .replace(/ {2,}/g, ' ')
        .trim(),
    escape: (text) => text,
    ellipsis: '...',
  },
} satisfies Record<string, Target>;

/** A template with its values exceeds the maximum size of its target. */
export class TooLongError extends Error {}

/** A template in parts: the texts around its placeholders, and the names between them. */
interface Parsed {
  texts: string[];
  names: string[];
}

function parse(template: string): Parsed {
  // A split by an expression with a group alternates between texts and names.
  const parts = template.split(PLACEHOLDER);
  return {
    texts: parts.filter((_part, index) => index % 2 === 0),
    names: parts.filter((_part, index) => index % 2 === 1).map((name) => name.trim()),
  };
}

/** Describes the first unknown placeholder of a template in one sentence, with the nearest known name; null if all are known. */
export function problemOf(template: string): string | null {
  const name = parse(template).names.find((each) => !isPlaceholder(each));
  if (name === undefined) return null;
  return `Unknown placeholder {{${name}}}. Did you mean {{${closest(name, placeholderNames)}}}?`;
}

/** Counts how often each known placeholder occurs. */
function countsOf(parsed: readonly Parsed[]): Map<Placeholder, number> {
  const counts = new Map<Placeholder, number>();
  for (const { names } of parsed) {
    for (const name of names) if (isPlaceholder(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** Counts the bytes of the texts around placeholders. Also runs in a browser, which has no Buffer. */
const literalBytes = (parsed: readonly Parsed[]) =>
  new TextEncoder().encode(parsed.map(({ texts }) => texts.join('')).join('')).length;

/** Returns the minimum bytes of the rendered templates, with every text value shortened as far as possible; other values cannot be shortened. */
function leastBytes(parsed: readonly Parsed[]): number {
  const values = [...countsOf(parsed)].map(([name, count]) => count * (wholeValues[name] ?? SHORTEST_TEXT));
  return values.reduce((sum, each) => sum + each, literalBytes(parsed));
}

/** Returns a sentence that explains why templates cannot be rendered for their target; null if they can. */
export function excessOf(templates: readonly string[], { name, mostBytes }: Target): string | null {
  const needed = leastBytes(templates.map(parse));
  if (needed <= mostBytes) return null;
  const inWords = (count: number) => count.toLocaleString('en-US');
  return `With its placeholders filled in, the ${name} needs at least ${inWords(needed)} bytes; at most ${inWords(mostBytes)} are sent. Use fewer placeholders.`;
}

/**
 * Returns the maximum bytes for each text value, so that all copies together fit into `room`. Texts that need less leave their share to the others.
 * Infinity if none has to be shortened.
 */
function shareOf(texts: { count: number; size: number }[], room: number): number {
  let left = room;
  let copies = texts.reduce((sum, { count }) => sum + count, 0);
  for (const { count, size } of texts.toSorted((one, other) => one.size - other.size)) {
    if (size * copies > left) return Math.floor(left / copies);
    left -= size * count;
    copies -= count;
  }
  return left < 0 ? 0 : Number.POSITIVE_INFINITY;
}

/**
 * Replaces the placeholders of templates that share a target in one pass, so that braces in a value are not expanded. Computes the size before
 * anything is expanded. If it exceeds the maximum, the longest texts, such as details and cause, are shortened until everything fits; links, IDs
 * and times are not. Unknown names, which only a template of a later version can have, are replaced with nothing.
 * @throws TooLongError if shortened texts do not suffice
 */
export function renderAll(
  templates: readonly string[],
  values: Record<Placeholder, string>,
  { name: target, mostBytes, clean = (it) => it, escape: encode, ellipsis }: Target,
): string[] {
  const parsed = templates.map(parse);
  const used = [...countsOf(parsed)].map(([name, count]) => {
    const value = clean(values[name].toWellFormed());
    const escaped = encode(value);
    return { name, count, value, escaped, size: inBytes(escaped), isWhole: wholeValues[name] !== undefined };
  });
  const whole = used.filter(({ isWhole }) => isWhole).reduce((sum, { count, size }) => sum + count * size, 0);
  const texts = used.filter(({ isWhole }) => !isWhole);
  const most = shareOf(texts, mostBytes - literalBytes(parsed) - whole);
  if (most < inBytes(ellipsis)) {
    throw new TooLongError(`The ${target} is too long with its placeholders filled in. Use fewer placeholders`);
  }
  const limit = { encode, size: inBytes, ellipsis };
  const written = new Map<string, string>(
    used.map(({ name, value, escaped, size, isWhole }) => [
      name,
      isWhole || size <= most ? escaped : fitText(value, most, limit),
    ]),
  );
  return parsed.map(({ texts: [first = '', ...others], names }) =>
    others.reduce((text, each, index) => `${text}${written.get(names[index] ?? '') ?? ''}${each}`, first),
  );
}

/**
 * Like `renderAll`, for one template.
 * @throws TooLongError
 */
export function render(template: string, values: Record<Placeholder, string>, target: Target): string {
  return renderAll([template], values, target).join('');
}

/**
 * A zod schema for a template of at most `max` characters. Reports an unknown placeholder, or a template that cannot be rendered, as an issue of
 * the field.
 */
export function templateText(max: number, target: Target) {
  return z
    .string()
    .max(max, { error: `Use at most ${max.toLocaleString('en-US')} characters.`, abort: true })
    .superRefine((text, ctx) => {
      const message = problemOf(text) ?? excessOf([text], target);
      if (message) ctx.addIssue({ code: 'custom', message });
    });
}
