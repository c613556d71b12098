import { z } from 'zod';
import { type Alert, alertOf } from '../alert';
import { failureForm } from '../failure-form';
import { post } from '../post';
import type { Provider } from '../provider';
import { shorten } from '../shorten';
import { toText } from '../to-text';
import type { SplunkOnCallConfig } from './definition';

const triggers = { critical: 'CRITICAL', warning: 'WARNING', minor: 'INFO' } as const satisfies Record<
  Alert['severity'],
  string
>;

function typeOf({ action, severity }: Alert): string {
  switch (action) {
    case 'trigger':
      return triggers[severity];
    case 'acknowledge':
      return 'ACKNOWLEDGEMENT';
    case 'resolve':
      return 'RECOVERY';
    case 'note':
      return 'INFO';
    default:
      return action satisfies never;
  }
}

/** The endpoint also reports failures with a successful status. */
const Failure = z.looseObject({
  result: z.literal('failure'),
  message: z.string().optional(),
  messages: z.array(z.string()).optional(),
});

const failure = failureForm({
  schema: Failure,
  text: ({ message = 'The alert was not accepted', messages }) => messages?.join(', ') ?? message,
  permanent: (_failure, status) => status < 500 && status !== 429,
  whateverStatus: true,
});

/** Sends to the REST endpoint of Splunk On-Call. `entity_id` combines all events of one incident. */
export const splunkOnCall: Provider<SplunkOnCallConfig> = {
  send(message, { url }, options) {
    const { timestamp, data } = message.payload;
    const alert = alertOf(message);
    const since = alert.action === 'trigger' ? (data.incident?.startedAt ?? timestamp) : timestamp;
    const body = {
      message_type: typeOf(alert),
      entity_id: alert.key,
      entity_display_name: shorten(message.headline, 250),
      state_message: toText(message, { max: 15_000 }),
      state_start_time: Math.floor(Date.parse(since) / 1000),
      monitoring_tool: 'Upwatch',
    };
    return post({ url, body: JSON.stringify(body), receiver: 'Splunk On-Call', ...failure }, options);
  },
};
