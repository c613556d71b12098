import { Timestamp } from '@/app/_components/time/time';

/** Matches generated sentences that contain times. Other texts may quote a response and are not changed. */
const OURS = /^(No ping (?:received|came) from|The run that (?:started|began) at|In maintenance(?: “.*”)? until) /;
const TIME = /(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) UTC/;

/** A piece of text, or a time (ISO 8601). */
export type TextPart = { text: string } | { key: number; at: string };

/** Splits a generated sentence into text and times. */
export function splitTimes(text: string): TextPart[] {
  if (!OURS.test(text)) return [{ text }];
  return text
    .split(TIME)
    .map((part, index) => (index % 2 === 1 ? { key: index, at: `${part.replace(' ', 'T')}Z` } : { text: part }));
}

/** A generated text whose times are shown in the time zone of the page. */
export function TextWithTimes({ children }: { children: string }) {
  return splitTimes(children).map((part) => ('at' in part ? <Timestamp key={part.key} at={part.at} /> : part.text));
}
