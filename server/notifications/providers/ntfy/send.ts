import { z } from 'zod';
import type { Message, Tone } from '../../messages/message';
import { failureForm, REJECTED } from '../failure-form';
import { post } from '../post';
import type { Provider, SendOptions, SendResult } from '../provider';
import { fitText, inJsonBytes } from '../shorten';
import type { NtfyConfig } from './definition';

/** From 1 to 5; 3 is the default, 5 also sounds where notifications are silent. */
const priorities: Record<Tone, number> = { down: 5, degraded: 4, acknowledged: 3, up: 3, neutral: 3 };
const tags: Record<Tone, string> = {
  down: 'rotating_light',
  degraded: 'warning',
  acknowledged: 'eyes',
  up: 'white_check_mark',
  neutral: 'information_source',
};

/** A longer message (over 4,096 bytes) would become an attachment. The server accepts 8,192 bytes of JSON, so the size includes escapes. */
const MOST_BYTES = 4_000;
const MOST_TITLE = 250;

const Failure = z.looseObject({ code: z.int(), http: z.int(), error: z.string() });

const failure = failureForm({ schema: Failure, text: ({ error }) => error, permanent: REJECTED });

const view = (label: string, url: string) => ({ action: 'view', label, url });

function toBody({ headline, details, url, acknowledgeUrl, tone }: Message, topic: string, sequenceId: string): object {
  const title = fitText(headline, MOST_TITLE, { size: inJsonBytes });
  const message = fitText(details.join('\n'), MOST_BYTES, { size: inJsonBytes });
  return {
    topic,
    title,
    priority: priorities[tone],
    tags: [tags[tone]],
    sequence_id: sequenceId,
    // For an empty message, ntfy would show its own text.
    message: message || title,
    click: url,
    actions: [
      ...(acknowledgeUrl === undefined ? [] : [view('Acknowledge', acknowledgeUrl)]),
      view('Open in Upwatch', url),
    ],
  };
}

function publish(
  message: Message,
  sequenceId: string,
  { serverUrl, topic, accessToken }: NtfyConfig,
  options: SendOptions,
): Promise<SendResult> {
  const headers = accessToken ? { authorization: `Bearer ${accessToken}` } : {};
  const url = `${serverUrl.replace(/\/+$/, '')}/`;
  const body = JSON.stringify(toBody(message, topic, sequenceId));
  return post({ url, headers, body, receiver: 'ntfy', ref: () => sequenceId, ...failure }, options);
}

/**
 * Publishes a message to ntfy, as JSON to the root of its server. Apps replace a notification with a later one that has the same sequence ID, also
 * after repeated attempts. Servers before 2.16 ignore the ID and show both.
 */
export const ntfy: Provider<NtfyConfig> = {
  send: (message, config, options) => publish(message, message.id, config, options),
  update: (ref, message, config, options) => publish(message, ref, config, options),
};
