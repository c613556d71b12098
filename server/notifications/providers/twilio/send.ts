import { z } from 'zod';
import { failureForm, REJECTED } from '../failure-form';
import { basicAuth, post } from '../post';
import type { Provider } from '../provider';
import { providerApi } from '../provider-api';
import { SMS_FORM } from '../sms';
import { toText } from '../to-text';
import type { TwilioConfig } from './definition';

/** Errors of Twilio's API, with a code of their own: 20003 is a wrong credential, 21211 a wrong number. */
const Failure = z.looseObject({ code: z.int(), message: z.string(), status: z.int() });

/** Codes that mean too many messages or requests: the queue of the sender is full, or a limit of the account is reached. */
const LATER = [14107, 20429, 21611];

const failure = failureForm({
  schema: Failure,
  text: ({ code, message }) => `${code} ${message}`,
  permanent: ({ code }, status) => (REJECTED as readonly number[]).includes(status) && !LATER.includes(code),
});

/** Sends a text message through the Messages resource of Twilio's API. */
export const twilio: Provider<TwilioConfig> = {
  send(message, { accountSid, authToken, from, to }, options) {
    const sender = from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from };
    const body = new URLSearchParams({ To: to, ...sender, Body: toText(message, SMS_FORM) });
    const headers = { authorization: basicAuth(accountSid, authToken) };
    const api = providerApi(`https://api.twilio.com/2010-04-01/Accounts/${accountSid}/Messages.json`);
    return post({ ...api, headers, body, receiver: 'Twilio', ...failure }, options);
  },
};
