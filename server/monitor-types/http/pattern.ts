import { RE2JS } from 're2js';

/**
 * The maximum number of cached patterns, and of their instructions in all, which take 75 bytes each. Limited, because all teams use the same thread.
 */
const MOST = { patterns: 1_000, instructions: 500_000 };
const patterns = new Map<string, RE2JS>();
let instructions = 0;

function compile(source: string): RE2JS {
  const known = patterns.get(source);
  if (known) return known;
  const pattern = RE2JS.compile(source);
  const size = pattern.programSize();
  if (patterns.size >= MOST.patterns || instructions + size > MOST.instructions) {
    patterns.clear();
    instructions = 0;
  }
  patterns.set(source, pattern);
  instructions += size;
  return pattern;
}

/**
 * Whether an RE2 pattern matches anywhere in a text. Takes time linear in the text.
 * @throws Error for an invalid pattern
 */
export function search(pattern: string, text: string): boolean {
  return compile(pattern).matcher(text).find();
}

/**
 * Whether an RE2 pattern matches the whole text.
 * @throws Error for an invalid pattern
 */
export function fullMatch(pattern: string, text: string): boolean {
  return compile(pattern).matcher(text).matches();
}

/** The first group of the first match of an RE2 pattern, or the whole match without a group; null without a match. Throws for an invalid pattern. */
export function capture(pattern: string, text: string): string | null {
  const matcher = compile(pattern).matcher(text);
  if (!matcher.find()) return null;
  return matcher.groupCount() > 0 ? (matcher.group(1) ?? null) : matcher.group();
}
