import { z } from 'zod';
import { JSON_TYPE, json, type KindSpec, readJson } from './spec';

const Body = z.strictObject({
  message_type: z.enum(['CRITICAL', 'WARNING', 'ACKNOWLEDGEMENT', 'INFO', 'RECOVERY']),
  entity_id: z.string().min(1).max(512),
  entity_display_name: z.string().max(1000),
  state_message: z.string().max(20_480),
  /** When the entity entered its current state. */
  state_start_time: z.int(),
  monitoring_tool: z.string(),
});

/** The REST endpoint of Splunk On-Call. It also reports failures with 200. */
export const splunkOnCall: KindSpec<'splunk_on_call'> = {
  config: (url) => ({ url: `${url}/integrations/generic/20131114/alert/splunk-secret/database` }),
  secrets: ['splunk-secret'],
  request: /^POST \/integrations\/generic\/20131114\/alert\/splunk-secret\/database$/,
  headers: JSON_TYPE,
  read: readJson,
  body: Body,
  good: json(200, { result: 'success', entity_id: 'i1' }),
  text: ({ state_message }: z.infer<typeof Body>) => state_message,
  markup: 'plain',
  failure: (status, message) => json(status, { result: 'failure', message }),
  permanent: [200, 400, 404],
  passing: [500],
  throttled: { answer: json(429, { result: 'failure', message: 'Rate limited' }, { 'retry-after': '6' }), seconds: 6 },
  severities: {
    of: ({ body }) => (JSON.parse(body) as z.infer<typeof Body>).message_type,
    critical: 'CRITICAL',
    warning: 'WARNING',
    minor: 'INFO',
  },
  actions: {
    of: (request) => {
      const { message_type, entity_id, state_start_time } = JSON.parse(request.body) as z.infer<typeof Body>;
      return [message_type, entity_id, new Date(state_start_time * 1000).toISOString()];
    },
    opened: ['CRITICAL', 'i1', '2026-11-20T03:07:12.000Z'],
    acknowledged: ['ACKNOWLEDGEMENT', 'i1', '2026-11-20T03:09:12.000Z'],
    resolved: ['RECOVERY', 'i1', '2026-11-20T03:21:12.000Z'],
  },
};
