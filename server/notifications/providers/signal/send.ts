import { z } from 'zod';
import { failureForm } from '../failure-form';
import { post } from '../post';
import type { Provider } from '../provider';
import { toText } from '../to-text';
import type { SignalConfig } from './definition';

/** A longer text becomes an attachment in Signal. */
const MOST_TEXT = 2_000;

const Failure = z.looseObject({ error: z.string() });

/**
 * Errors that a retry does not fix: a wrong number or group. The gateway responds with 400 to every error, including those of its network, so its
 * text (of signal-cli) decides. "Invalid" alone also occurs in the names of exceptions.
 */
const WRONG =
  /not registered|unregistered|does not exist|group not found|not a member in group|invalid (phone )?number|invalid (group|request)|not a valid/i;

const failure = failureForm({
  schema: Failure,
  text: ({ error }) => error,
  permanent: ({ error }, status) => status < 500 && status !== 429 && WRONG.test(error),
  wait: ({ error }) => {
    const seconds = /retry after (\d{1,6}) seconds/i.exec(error)?.[1];
    return seconds === undefined ? undefined : Number(seconds);
  },
});

/** Sends a message through signal-cli-rest-api. */
export const signal: Provider<SignalConfig> = {
  send(message, { serverUrl, number, to }, options) {
    const body = { message: toText(message, { max: MOST_TEXT }), number, recipients: [to], text_mode: 'normal' };
    const url = `${serverUrl.replace(/\/+$/, '')}/v2/send`;
    return post({ url, body: JSON.stringify(body), receiver: 'The Signal gateway', ...failure }, options);
  },
};
