import { z } from 'zod';
import { JSON_TYPE, json, type KindSpec, readJson } from './spec';

const Body = z.looseObject({
  action: z.string(),
  id: z.string(),
  title: z.string(),
  message: z.string(),
  url: z.url(),
});

/** Firing an event by the REST API of Home Assistant. */
export const homeAssistant: KindSpec<'home_assistant'> = {
  config: (url) => ({ serverUrl: url, accessToken: 'home-secret', eventType: 'upwatch_incident' }),
  secrets: ['home-secret'],
  request: /^POST \/api\/events\/upwatch_incident$/,
  headers: { ...JSON_TYPE, authorization: /^Bearer home-secret$/ },
  read: readJson,
  body: Body,
  good: json(200, { message: 'Event upwatch_incident fired.' }),
  text: ({ title, message }: z.infer<typeof Body>) => `${title}\n${message}`,
  markup: 'plain',
  // Only JSON of its views has a message. Rejections by its server are text.
  failure: (status, message) =>
    status === 400 ? json(status, { message }) : { status, body: `${status}: ${message}` },
  permanent: [400, 401, 403],
  passing: [404, 500],
  throttled: { answer: { status: 429, headers: { 'retry-after': '7' } }, seconds: 7 },
  severities: {
    of: ({ body }) => (JSON.parse(body) as z.infer<typeof Body>).severity,
    critical: 'critical',
    warning: 'warning',
    minor: 'minor',
  },
  actions: {
    of: (request) => {
      const { action, id } = JSON.parse(request.body) as z.infer<typeof Body>;
      return [action, id];
    },
    opened: ['trigger', 'i1'],
    acknowledged: ['acknowledge', 'i1'],
    resolved: ['resolve', 'i1'],
  },
};
