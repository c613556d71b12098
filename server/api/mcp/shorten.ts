import { defineTask } from '@/server/platform/bounded/task';

/** The maximum length of a text in an answer, such as the body of a response; longer ones are cut. */
const MOST_TEXT = 2_000;
/** Parsing that many characters and writing them again takes less than a millisecond. */
const SMALL = 16 * 1024;

interface Whole {
  /** JSON. */
  text: string;
  /** The names of the fields to leave out. */
  omits: readonly string[];
}

/** Returns JSON without omitted fields and with long texts cut. */
export function shorten({ text, omits }: Whole): string {
  return JSON.stringify(
    JSON.parse(text, (name, value: unknown) => {
      if (omits.includes(name)) return undefined;
      if (typeof value !== 'string' || value.length <= MOST_TEXT) return value;
      return `${value.slice(0, MOST_TEXT)}… (${value.length - MOST_TEXT} more characters)`;
    }),
  );
}

/** Runs `shorten`: an answer with the evidence of an incident may have half a million characters. */
export const shortenTask = defineTask({
  name: 'shorten-answer',
  run: shorten,
  budgetMs: 1_000,
  maxInputBytes: 16 * 1024 * 1024,
  maxOutputBytes: 4 * 1024 * 1024,
  isSmall: ({ text }) => text.length <= SMALL,
});
