import { z } from 'zod';
import type { Message, Tone } from '../../message';
import { failureForm, REJECTED } from '../failure-form';
import { post } from '../post';
import type { Provider } from '../provider';
import { fitText, inBytes } from '../shorten';
import type { NtfyConfig } from './config';

/** From 1 to 5; 3 is the default, 5 also sounds where notifications are silent. */
const priorities: Record<Tone, number> = { down: 5, degraded: 4, acknowledged: 3, up: 3, neutral: 3 };
const tags: Record<Tone, string> = {
  down: 'rotating_light',
  degraded: 'warning',
  acknowledged: 'eyes',
  up: 'white_check_mark',
  neutral: 'information_source',
};

/** A longer message (over 4,096 bytes) would become an attachment. */
const MOST_BYTES = 4_000;

const Failure = z.looseObject({ code: z.int(), http: z.int(), error: z.string() });

const failure = failureForm({ schema: Failure, text: ({ error }) => error, permanent: REJECTED });

const view = (label: string, url: string) => ({ action: 'view', label, url });

function toBody({ headline, details, url, acknowledgeUrl, tone }: Message, topic: string): object {
  const message = fitText(details.join('\n'), MOST_BYTES, { size: inBytes });
  return {
    ...{ topic, title: fitText(headline, 250, { size: inBytes }), priority: priorities[tone], tags: [tags[tone]] },
    // Without one, ntfy would show its own text.
    message: message || headline.slice(0, 250),
    click: url,
    actions: [
      ...(acknowledgeUrl === undefined ? [] : [view('Acknowledge', acknowledgeUrl)]),
      view('Open in Upwatch', url),
    ],
  };
}

/** A message of ntfy, published as JSON to the root of its server. */
export const ntfy: Provider<NtfyConfig> = {
  send(message, { serverUrl, topic, accessToken }, options) {
    const headers = accessToken ? { authorization: `Bearer ${accessToken}` } : {};
    const url = `${serverUrl.replace(/\/+$/, '')}/`;
    return post({ url, headers, body: JSON.stringify(toBody(message, topic)), receiver: 'ntfy', ...failure }, options);
  },
};
