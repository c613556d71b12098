import { RE2JS } from 're2js';

const KEPT_PATTERNS = 1_000;
const patterns = new Map<string, RE2JS>();

function compile(source: string): RE2JS {
  const known = patterns.get(source);
  if (known) return known;
  const pattern = RE2JS.compile(source);
  if (patterns.size >= KEPT_PATTERNS) patterns.clear();
  patterns.set(source, pattern);
  return pattern;
}

/** Whether an RE2 pattern matches anywhere in a text, in time linear in the text. Throws for an invalid pattern. */
export function search(pattern: string, text: string): boolean {
  return compile(pattern).matcher(text).find();
}

/** Whether an RE2 pattern matches the whole text. Throws for an invalid pattern. */
export function fullMatch(pattern: string, text: string): boolean {
  return compile(pattern).matcher(text).matches();
}
