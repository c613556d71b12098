import { z } from 'zod';
import { FORM_TYPE, gsmEnd, json, type KindSpec, readForm } from './spec';

const SID = `AC${'1'.repeat(32)}`;
const TOKEN = 'b'.repeat(32);
const Body = z.strictObject({ To: z.string(), From: z.string(), Body: gsmEnd(z.string().min(1).max(1600)) });

/** The Messages resource of Twilio. */
export const twilio: KindSpec<'twilio'> = {
  config: () => ({ accountSid: SID, authToken: TOKEN, from: '+15550100', to: '+15550123456' }),
  secrets: [TOKEN],
  request: new RegExp(`^POST /api\\.twilio\\.com/2010-04-01/Accounts/${SID}/Messages\\.json$`),
  headers: { ...FORM_TYPE, authorization: new RegExp(`^Basic ${Buffer.from(`${SID}:${TOKEN}`).toString('base64')}$`) },
  read: readForm,
  body: Body,
  good: json(201, { sid: 'SM1', status: 'queued' }),
  text: (body: z.infer<typeof Body>) => body.Body,
  markup: 'plain',
  failure: (status, message) =>
    json(status, { code: 21211, message, more_info: 'https://www.twilio.com/docs', status }),
  permanent: [400, 401, 403, 404],
  passing: [500, 503],
  judged: [
    { answer: json(400, { code: 21610, message: 'Unsubscribed recipient', status: 400 }), permanent: true },
    { answer: json(400, { code: 21611, message: 'Too many queued messages', status: 400 }), permanent: false },
  ],
  throttled: {
    answer: json(429, { code: 20429, message: 'Too Many Requests', status: 429 }, { 'retry-after': '1' }),
    seconds: 1,
  },
};
