/** How the sentences begin in which Upwatch itself names times. Elsewhere a time may be evidence, which stays verbatim. */
const OURS = /^(No ping came from|The run that began at) /;
const TIME = /(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) UTC/;

/** A piece of text, or a moment (ISO 8601). */
export type ToldPart = { text: string } | { key: number; at: string };

/** Takes the moments out of what Upwatch wrote of a check. */
export function splitTold(text: string): ToldPart[] {
  if (!OURS.test(text)) return [{ text }];
  return text
    .split(TIME)
    .map((part, index) => (index % 2 === 1 ? { key: index, at: `${part.replace(' ', 'T')}Z` } : { text: part }));
}
