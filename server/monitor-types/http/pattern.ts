import { RE2JS } from 're2js';
import { SizedCache } from '@/server/platform/sized-cache';

/** The number of compiled patterns, and of their instructions in all, which take 75 bytes each: other teams use the same thread. */
const MOST = { entries: 1_000, size: 500_000 };
const patterns = new SizedCache<RE2JS>(MOST);

function compile(source: string): RE2JS {
  const known = patterns.get(source);
  if (known) return known;
  const pattern = RE2JS.compile(source);
  patterns.set(source, pattern, pattern.programSize());
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
