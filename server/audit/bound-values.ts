/** The maximum size of one side of an entry in bytes of JSON. */
const MOST_BYTES = 16 * 1024;
/** Increasingly strict limits on texts, lists and objects, applied until the entry fits. */
const LIMITS = [
  { text: 500, items: 100 },
  { text: 100, items: 20 },
  { text: 40, items: 5 },
];
/** Settings are never nested deeper, and their names are never longer. */
const MOST_DEPTH = 8;
const LONGEST_NAME = 128;

type Limit = (typeof LIMITS)[number];

const count = (number: number) => number.toLocaleString('en');

function shorten(value: unknown, limit: Limit, depth: number): unknown {
  if (typeof value === 'string') {
    const characters = value.length > limit.text ? Array.from(value) : [];
    if (characters.length <= limit.text) return value;
    return `${characters.slice(0, limit.text).join('')}… (${count(characters.length)} characters)`;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MOST_DEPTH) return '…';
  if (Array.isArray(value)) {
    const kept = value.slice(0, limit.items).map((item) => shorten(item, limit, depth + 1));
    return kept.length === value.length ? kept : [...kept, `… and ${count(value.length - kept.length)} more`];
  }
  const entries = Object.entries(value);
  const kept = entries
    .slice(0, limit.items)
    .map(([key, item]) => [key.slice(0, LONGEST_NAME), shorten(item, limit, depth + 1)]);
  if (kept.length < entries.length) kept.push(['…', `and ${count(entries.length - kept.length)} more`]);
  return Object.fromEntries(kept);
}

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/**
 * Limits one side of an audit entry to 16 KiB: shortens long texts and lists and adds their length. Fields that are still too large keep only their
 * name.
 */
export function boundValues(side: Record<string, unknown>): Record<string, unknown> {
  for (const limit of LIMITS) {
    const shortened = shorten(side, limit, 0) as Record<string, unknown>;
    if (sizeOf(shortened) <= MOST_BYTES) return shortened;
  }
  const names = Object.keys(side).slice(0, 40);
  return Object.fromEntries(names.map((name) => [name.slice(0, LONGEST_NAME), '…']));
}
