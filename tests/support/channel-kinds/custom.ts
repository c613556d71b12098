import { z } from 'zod';
import { JSON_TYPE, type KindSpec, readJson } from './spec';

const Body = z.strictObject({ text: z.string(), details: z.string(), link: z.url(), event: z.string() });

/** A request as its author wrote it. */
export const custom: KindSpec<'custom'> = {
  config: (url) => ({
    method: 'PUT',
    url: `${url}/alerts/{{incident.id}}?key=custom-url-secret`,
    contentType: 'json',
    headers: 'Authorization: Bearer custom-secret\nX-Monitor: {{monitor.name}}',
    body: '{"text": "{{headline}}", "details": "{{details}}", "link": "{{url}}", "event": "{{event}}"}',
  }),
  secrets: ['custom-url-secret', 'custom-secret'],
  request: /^PUT \/alerts\/i1\?key=custom-url-secret$/,
  headers: { ...JSON_TYPE, authorization: /^Bearer custom-secret$/, 'x-monitor': /^[\x20-\x7e]*$/ },
  read: readJson,
  body: Body,
  good: { status: 200 },
  text: ({ text, details }: z.infer<typeof Body>) => `${text}\n${details}`,
  markup: 'plain',
  failure: (status, body) => ({ status, body }),
  permanent: [410],
  passing: [404, 500],
  throttled: { answer: { status: 429, headers: { 'retry-after': '13' } }, seconds: 13 },
  actions: {
    of: (request) => (JSON.parse(request.body) as { event: string }).event,
    opened: 'incident.opened',
    acknowledged: 'incident.acknowledged',
    resolved: 'incident.resolved',
  },
};
