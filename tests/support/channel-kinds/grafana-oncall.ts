import { z } from 'zod';
import { JSON_TYPE, type KindSpec, readJson } from './spec';

const Body = z.strictObject({
  alert_uid: z.string().min(1),
  title: z.string().min(1),
  message: z.string(),
  /** All but "ok" alert; "acknowledged" is for a template of the integration. */
  state: z.enum(['ok', 'alerting', 'acknowledged']),
  link_to_upstream_details: z.url(),
});

/** A formatted webhook of Grafana OnCall. Its errors are plain text. */
export const grafanaOncall: KindSpec<'grafana_oncall'> = {
  config: (url) => ({ url: `${url}/integrations/v1/formatted_webhook/grafana-secret/` }),
  secrets: ['grafana-secret'],
  request: /^POST \/integrations\/v1\/formatted_webhook\/grafana-secret\/$/,
  headers: JSON_TYPE,
  read: readJson,
  body: Body,
  good: { status: 200, body: 'Ok.' },
  text: ({ title, message }: z.infer<typeof Body>) => `${title}\n${message}`,
  markup: 'plain',
  failure: (status, body) => ({ status, body }),
  permanent: [410],
  passing: [403, 404, 500],
  judged: [
    {
      answer: { status: 400, body: 'This url is for integration with Formatted Webhook.Key is for Webhook' },
      permanent: true,
    },
    { answer: { status: 400, body: 'Bad Request' }, permanent: false },
  ],
  throttled: { answer: { status: 429, headers: { 'retry-after': '10' }, body: 'Too many requests' }, seconds: 10 },
  actions: {
    of: (request) => {
      const { state, alert_uid } = JSON.parse(request.body) as z.infer<typeof Body>;
      return [state, alert_uid];
    },
    opened: ['alerting', 'i1'],
    acknowledged: ['acknowledged', 'i1'],
    resolved: ['ok', 'i1'],
  },
};
