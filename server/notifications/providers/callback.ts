import type { Post } from './post';

/** A request of a provider about a message that it shows. */
export interface CallbackRequest {
  headers: Headers;
  /** As it came: signatures cover its bytes. */
  body: Buffer;
  now: Date;
}

/** What the provider is answered. */
export interface CallbackAnswer {
  /** The body of the response, as JSON; null for an empty one. */
  body: object | null;
  /** A request to the provider, made after the response. */
  followUp?: Post;
}

/** What an authentic callback asks for. */
export interface Callback {
  /** The value of the pressed button, and the person as the provider names them; null if the callback asks for nothing. */
  press: { button: string; person: string } | null;
  /** The answer, with a text for the person who pressed the button. */
  answer(text: string | null): CallbackAnswer;
}

/** Reads the callbacks of a kind: null unless the provider signed them with what the config holds. */
export type CallbackReader<Config> = (request: CallbackRequest, config: Config) => Callback | null;

/** The `action_id` or prefix of the buttons that acknowledge. */
export const ACKNOWLEDGE = 'acknowledge';

/** The ID of a button that acknowledges, where it has no value besides. */
export const buttonOf = (value: string) => `${ACKNOWLEDGE}:${value}`;

/** The value in such an ID; null for another button. */
export function valueOfButton(id: string | undefined): string | null {
  return id?.startsWith(buttonOf('')) ? id.slice(buttonOf('').length) : null;
}

/**
 * The longest difference between a signed time and ours. A callback that is repeated within it changes nothing: its button acts on one opening of
 * its incident.
 */
const MOST_SKEW_MS = 5 * 60_000;

/** Whether a signed time, in seconds since 1970, is recent. */
export function isRecent(timestamp: string, now: Date): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(now.getTime() - Number(timestamp) * 1000) <= MOST_SKEW_MS;
}
