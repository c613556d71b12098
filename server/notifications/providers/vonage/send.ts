import { z } from 'zod';
import { failureForm } from '../failure-form';
import { basicAuth, post } from '../post';
import type { Provider } from '../provider';
import { providerApi } from '../provider-api';
import { SMS_FORM } from '../sms';
import { toText } from '../to-text';
import type { VonageConfig } from './definition';

const hosts = {
  global: 'https://api.nexmo.com',
  us: 'https://api-us.vonage.com',
  eu: 'https://api-eu.vonage.com',
  ap: 'https://api-ap.vonage.com',
} as const;

/** Problem details (RFC 9457). */
const Failure = z.looseObject({ title: z.string(), detail: z.string().default('') });

const failure = failureForm({
  schema: Failure,
  text: ({ title, detail }) => [title, detail].filter(Boolean).join(': '),
  // 402 is an empty balance.
  permanent: [400, 401, 402, 403, 404, 422],
});

/** Removes the plus sign of an E.164 number, as this API requires. */
const withoutPlus = (number: string) => number.replace(/^\+/, '');

/** Sends a text message through Vonage's Messages API. */
export const vonage: Provider<VonageConfig> = {
  send(message, { apiKey, apiSecret, from, to, region }, options) {
    const body = {
      channel: 'sms',
      message_type: 'text',
      from: withoutPlus(from),
      to: withoutPlus(to),
      text: toText(message, SMS_FORM),
      client_ref: message.id,
    };
    const headers = { authorization: basicAuth(apiKey, apiSecret), accept: 'application/json' };
    const request = { ...providerApi(`${hosts[region]}/v1/messages`), headers, body: JSON.stringify(body) };
    return post({ ...request, receiver: 'Vonage', ...failure }, options);
  },
};
