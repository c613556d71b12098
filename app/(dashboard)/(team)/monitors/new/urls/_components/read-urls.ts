import { completeAddress, HttpConfig, suggestName } from '@/server/monitor-types/schema';

/** The maximum number of URLs of one list. */
export const MOST_URLS = 50;
/** The maximum number of characters of a list. */
export const LONGEST_LIST = 100_000;

export interface UrlList {
  /** The monitors to create, with suggested names. */
  monitors: { url: string; name: string }[];
  /** The lines that create no monitor, each with the reason. */
  skipped: { text: string; reason: string }[];
}

/**
 * Reads a list with a URL on each line; a line without a scheme is completed as in the form of a monitor. Skips what is no URL, and repetitions.
 * @returns the list, or what is wrong with all of it
 */
export function readUrls(text: string): UrlList | { fault: string } {
  if (text.length > LONGEST_LIST) return { fault: 'The list is longer than 100,000 characters.' };
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0) return { fault: 'Enter at least one URL.' };
  if (lines.length > MOST_URLS) return { fault: `Enter at most ${MOST_URLS} URLs at once; these are ${lines.length}.` };
  const list: UrlList = { monitors: [], skipped: [] };
  const known = new Set<string>();
  for (const line of lines) {
    const parsed = HttpConfig.shape.url.safeParse(completeAddress(line));
    // Some browsers parse a host with spaces.
    if (!parsed.success || /\s/.test(line)) {
      list.skipped.push({ text: line, reason: parsed.error?.issues[0]?.message ?? 'This is not a URL.' });
      continue;
    }
    const { href } = new URL(parsed.data);
    if (known.has(href)) list.skipped.push({ text: line, reason: 'It is in the list twice.' });
    else list.monitors.push({ url: parsed.data, name: suggestName(parsed.data) });
    known.add(href);
  }
  return list;
}
