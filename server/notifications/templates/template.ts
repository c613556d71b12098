import { closest } from 'fastest-levenshtein';
import { z } from 'zod';
import { fitText, inBytes } from '../providers/shorten';
import { isPlaceholder, type Placeholder, placeholderNames, SHORTEST_TEXT, wholeValues } from './placeholders';

/** Two braces, a name, two braces. Linear: the name has no brace. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** What a rendered template is part of: how its values are written there, and what it may take, in bytes of UTF-8. */
export interface Target {
  name: string;
  mostBytes: number;
  /** Before escaping, for the whole value. */
  clean?: (value: string) => string;
  /** Of a whole value the same as of its characters one by one. */
  escape: (text: string) => string;
  /** Ends a shortened value, escaped. */
  ellipsis: string;
}

/** A request of the user's own; receivers commonly take 100 KB. */
const MOST_BODY = 65_536;
/** What servers should at least take of a URL (RFC 9110 §4.1), and commonly take of a header section. */
const MOST_LINE = 8_000;

export const targets = {
  /** A message of any kind. Providers take at most 20,000 characters, and cut it to their own limits. */
  message: { name: 'text', mostBytes: 32_768, escape: (text) => text, ellipsis: '…' },
  subject: { name: 'subject', mostBytes: 4_096, escape: (text) => text, ellipsis: '…' },
  text: { name: 'body', mostBytes: MOST_BODY, escape: (text) => text, ellipsis: '…' },
  /** Inside a string of a JSON document (RFC 8259 §7). */
  json: { name: 'body', mostBytes: MOST_BODY, escape: (text) => JSON.stringify(text).slice(1, -1), ellipsis: '…' },
  form: { name: 'body', mostBytes: MOST_BODY, escape: encodeURIComponent, ellipsis: encodeURIComponent('…') },
  /** A component of a URL (RFC 3986 §2.1). */
  url: { name: 'URL', mostBytes: MOST_LINE, escape: encodeURIComponent, ellipsis: encodeURIComponent('…') },
  /** One line of visible characters each, as HTTP headers have (RFC 9110 §5.5). */
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

/** A template with what its placeholders stand for is larger than its target takes. */
export class TooLongError extends Error {}

/** What is wrong with a template, in one sentence with the nearest name; null if all of its placeholders are known. */
export function problemOf(template: string): string | null {
  for (const [, given = ''] of template.matchAll(PLACEHOLDER)) {
    const name = given.trim();
    if (isPlaceholder(name)) continue;
    return `Unknown placeholder {{${name}}}. Did you mean {{${closest(name, placeholderNames)}}}?`;
  }
  return null;
}

/** How often each known placeholder occurs. */
function countsOf(templates: readonly string[]): Map<Placeholder, number> {
  const counts = new Map<Placeholder, number>();
  for (const [, given = ''] of templates.flatMap((template) => [...template.matchAll(PLACEHOLDER)])) {
    const name = given.trim();
    if (isPlaceholder(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** Also runs in a browser, which has no Buffer. */
const literalBytes = (templates: readonly string[]) =>
  new TextEncoder().encode(templates.map((template) => template.replace(PLACEHOLDER, '')).join('')).length;

/** The bytes that templates need at least: texts can be shortened, all else stays whole. */
function leastBytes(templates: readonly string[]): number {
  const values = [...countsOf(templates)].map(([name, count]) => count * (wholeValues[name] ?? SHORTEST_TEXT));
  return values.reduce((sum, each) => sum + each, literalBytes(templates));
}

/** Why templates can never be rendered for their target; null if they can. */
export function excessOf(templates: readonly string[], { name, mostBytes }: Target): string | null {
  const needed = leastBytes(templates);
  if (needed <= mostBytes) return null;
  const inWords = (count: number) => count.toLocaleString('en-US');
  return `With its placeholders filled in, the ${name} needs at least ${inWords(needed)} bytes; at most ${inWords(mostBytes)} are sent. Use fewer placeholders.`;
}

/** The most bytes of a text of which each of `count` copies gets the same share of `room`: short ones leave theirs to others. */
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
 * Replaces the placeholders of templates that share a target, in one pass: a value with braces is not looked at again. The size is computed before
 * anything is expanded. Where it exceeds the target, the longest texts, such as details and cause, are shortened until all fits; links, IDs and times
 * stay whole. Names that are unknown, which only a template of a later version can have, are replaced with nothing.
 * @throws TooLongError if shortened texts do not suffice
 */
export function renderAll(
  templates: readonly string[],
  values: Record<Placeholder, string>,
  { name: target, mostBytes, clean = (it) => it, escape: encode, ellipsis }: Target,
): string[] {
  const used = [...countsOf(templates)].map(([name, count]) => {
    const value = clean(values[name].toWellFormed());
    const escaped = encode(value);
    return { name, count, value, escaped, size: inBytes(escaped), isWhole: wholeValues[name] !== undefined };
  });
  const whole = used.filter(({ isWhole }) => isWhole).reduce((sum, { count, size }) => sum + count * size, 0);
  const texts = used.filter(({ isWhole }) => !isWhole);
  const most = shareOf(texts, mostBytes - literalBytes(templates) - whole);
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
  return templates.map((template) =>
    template.replace(PLACEHOLDER, (_whole, given: string) => written.get(given.trim()) ?? ''),
  );
}

/**
 * Like `renderAll`, for one template.
 * @throws TooLongError
 */
export function render(template: string, values: Record<Placeholder, string>, target: Target): string {
  return renderAll([template], values, target).join('');
}

/** A text with placeholders of at most `max` characters. An unknown placeholder is an issue at its field, and so is a text that cannot be rendered. */
export function templateText(max: number, target: Target) {
  return z
    .string()
    .max(max, { error: `Use at most ${max.toLocaleString('en-US')} characters.`, abort: true })
    .superRefine((text, ctx) => {
      const message = problemOf(text) ?? excessOf([text], target);
      if (message) ctx.addIssue({ code: 'custom', message });
    });
}
