import type { Post } from './post';

/** A request that a provider sends when somebody presses a button of a message. */
export interface CallbackRequest {
  headers: Headers;
  /** The unparsed body, because signatures cover its bytes. */
  body: Buffer;
  now: Date;
}

/** The response to the provider. */
export interface CallbackAnswer {
  /** The body of the response, as JSON; null for an empty one. */
  body: object | null;
  /** A request to the provider, made after the response. */
  followUp?: Post;
}

/** What an authentic callback requests. */
export interface Callback {
  /** The value of the pressed button and the provider's name of the person; null if the callback requests nothing. */
  press: { button: string; person: string } | null;
  /** Builds the response, with a text for the person who pressed the button. */
  answer(text: string | null): CallbackAnswer;
}

/** Verifies and reads the callbacks of a kind; null unless the provider signed them with the secret in the config. */
export type CallbackReader<Config> = (request: CallbackRequest, config: Config) => Callback | null;

/** The `action_id`, or its prefix, of buttons that acknowledge. */
export const ACKNOWLEDGE = 'acknowledge';

/** Returns the ID of an acknowledge button for providers whose buttons have no separate value. */
export const buttonOf = (value: string) => `${ACKNOWLEDGE}:${value}`;

/** Returns the value in an ID made by `buttonOf`; null for another button. */
export function valueOfButton(id: string | undefined): string | null {
  return id?.startsWith(buttonOf('')) ? id.slice(buttonOf('').length) : null;
}

/**
 * The maximum difference between a signed time and ours. Repeating a callback within it has no effect, because its button acts on one opening of
 * its incident.
 */
const MOST_SKEW_MS = 5 * 60_000;

/** Whether a signed time, in seconds since 1970, is recent. */
export function isRecent(timestamp: string, now: Date): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(now.getTime() - Number(timestamp) * 1000) <= MOST_SKEW_MS;
}
