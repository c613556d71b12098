import { closest } from 'fastest-levenshtein';
import { z } from 'zod';
import { isPlaceholder, type Placeholder, placeholderNames } from './placeholders';

/** Two braces, a name, two braces. Linear: the name has no brace. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** The text of a placeholder for its target, for example inside a JSON string. */
export type Escape = (value: string) => string;

export const escapes = {
  text: (value) => value,
  /** Inside a string of a JSON document (RFC 8259 §7). */
  json: (value) => JSON.stringify(value).slice(1, -1),
  /** A component of a URL, or of a form (RFC 3986 §2.1). */
  url: (value) => encodeURIComponent(value),
  /** One line of visible characters, as an HTTP header has (RFC 9110 §5.5). */
  header: (value) =>
    value
      .replace(/[^\x20-\x7e]+/g, ' ')
      .replace(/ {2,}/g, ' ')
      .trim(),
} satisfies Record<string, Escape>;

/** What is wrong with a template, in one sentence with the nearest name; null if all of its placeholders are known. */
export function problemOf(template: string): string | null {
  for (const [, given = ''] of template.matchAll(PLACEHOLDER)) {
    const name = given.trim();
    if (isPlaceholder(name)) continue;
    return `Unknown placeholder {{${name}}}. Did you mean {{${closest(name, placeholderNames)}}}?`;
  }
  return null;
}

/**
 * Replaces the placeholders of a template, in one pass: a value with braces is not looked at again. Names that are unknown, which only a template
 * of a later version can have, are replaced with nothing.
 */
export function render(template: string, values: Record<Placeholder, string>, escaped: Escape): string {
  return template.replace(PLACEHOLDER, (_whole, given: string) => {
    const name = given.trim();
    return isPlaceholder(name) ? escaped(values[name]) : '';
  });
}

/** A text with placeholders of at most `max` characters. An unknown placeholder is an issue at its field. */
export function templateText(max: number) {
  return z
    .string()
    .max(max, { error: `Use at most ${max.toLocaleString('en-US')} characters.` })
    .superRefine((text, ctx) => {
      const message = problemOf(text);
      if (message) ctx.addIssue({ code: 'custom', message });
    });
}
