import { z } from 'zod';
import { FORM_TYPE, inSeconds, json, type KindSpec, readForm } from './spec';

const USER = 'u'.repeat(30);
const TOKEN = 'a'.repeat(30);
const Body = z.strictObject({
  token: z.literal(TOKEN),
  user: z.literal(USER),
  device: z.string(),
  title: z.string().max(250),
  message: z.string().min(1).max(1024),
  url: z.url().max(512).optional(),
  url_title: z.string().max(100).optional(),
  priority: z.enum(['-2', '-1', '0', '1']),
  timestamp: z.string().regex(/^\d{10}$/),
});

/** The Message API of Pushover. */
export const pushover: KindSpec<'pushover'> = {
  config: () => ({ userKey: USER, apiToken: TOKEN, device: 'phone' }),
  secrets: [USER, TOKEN],
  request: /^POST \/api\.pushover\.net\/1\/messages\.json$/,
  headers: FORM_TYPE,
  read: readForm,
  body: Body,
  good: json(200, { status: 1, request: 'r1' }),
  text: ({ title, message }: z.infer<typeof Body>) => `${title}\n${message}`,
  markup: 'plain',
  failure: (status, text) =>
    json(
      status,
      { user: 'invalid', errors: [text], status: 0, request: 'r2' },
      { 'x-limit-app-limit': '10000', 'x-limit-app-remaining': '9000', 'x-limit-app-reset': inSeconds(86_400) },
    ),
  permanent: [400, 401],
  passing: [500],
  throttled: {
    answer: json(
      429,
      { errors: ['application is over its quota'], status: 0, request: 'r3' },
      { 'x-limit-app-reset': inSeconds(3600) },
    ),
    seconds: 3600,
  },
};
