import { at, incidentId, page, teamId } from '@/server/trpc/examples';
import type { OperationDoc } from '@/server/trpc/operation-doc';
import { placeholderNames } from './templates/placeholders';

export const channel = {
  id: '01KANZ6M3N5P7Q9R1S3T5V7W9X',
  teamId,
  type: 'webhook',
  name: 'On-call',
  state: 'delivering',
  failingSince: null,
  lastError: null,
  lastDeliveredAt: at,
  previousSecretUntil: null,
  fallbackChannelId: null,
  externalId: null,
  config: { url: 'https://hooks.example.com/upwatch', secret: '••••Zy9Q' },
  createdAt: at,
  updatedAt: at,
};

const delivery = {
  id: '01KANZ7C4D6E8F0G2H4J6K8M0N',
  channelId: channel.id,
  incidentId,
  forwardedFrom: null,
  monitorName: 'Shop',
  event: 'incident.opened',
  status: 'delivered',
  webhookId: '01KANZ7C4D6E8F0G2H4J6K8M0N',
  attempts: [{ at, statusCode: 200, error: null, durationMs: 85 }],
  nextAttemptAt: null,
  isSending: false,
  hold: null,
  replayedAt: null,
  replayedBy: null,
  createdAt: at,
};

const exchange = {
  request: {
    method: 'POST',
    url: 'https://hooks.example.com/••••',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'webhook-id': delivery.id,
      'webhook-signature': '••••',
    },
    body: '{"type":"incident.opened","timestamp":"2026-11-20T03:07:12.000Z","data":{}}',
  },
  response: { statusCode: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' },
};

const url = 'https://hooks.example.com/upwatch';
const MASKS =
  "Returns all notification channels. Credentials are masked, including chat webhook URLs. Callers without write access see only the host of a webhook's URL.";
const emailChannel = {
  ...channel,
  type: 'email',
  config: { to: 'on-call@example.com' },
  confirmation: 'pending',
};
const contactMethod = {
  ...channel,
  id: '01KANZ8P2Q4R6S8T0V2W4X6Y8Z',
  type: 'email',
  name: 'Mail',
  config: { to: 'robin@example.com' },
  confirmation: 'member',
  delayMinutes: 5,
};
const template = {
  event: 'incident.opened',
  subject: '[{{incident.severity}}] {{monitor.name}} is down',
  body: 'Runbook: https://wiki.example.com/{{monitor.id}}',
};
const rules = {
  monitorIds: [],
  tags: ['payments'],
  minSeverity: 'warning',
  events: ['down', 'degraded', 'certificate', 'manual', 'recovered'],
  quietHours: {
    days: ['MO', 'TU', 'WE', 'TH', 'FR'],
    from: '22:00',
    to: '07:00',
    timezone: 'Europe/Berlin',
    sendsCritical: true,
  },
  maxPerMinute: 5,
  reminderMinutes: 0,
  matchingMonitors: 38,
};
const testResult = {
  isDelivered: true,
  note: null,
  statusCode: 200,
  error: null,
  durationMs: 118,
  exchange: {
    ...exchange,
    request: { ...exchange.request, body: '{"type":"channel.test","timestamp":"2026-11-20T03:07:12.000Z","data":{}}' },
  },
};
const confirmation = { teamName: 'Northwind', address: 'on-call@example.com', isConfirmed: true };

export const channelDocs: Record<string, OperationDoc> = {
  'notifications.list': {
    id: 'listChannels',
    alsoId: 'listDashboardChannels',
    description: MASKS,
    answer: { channels: [channel], ...page },
  },
  'notifications.get': { id: 'getChannel', alsoId: 'getDashboardChannel', description: MASKS, answer: { channel } },
  'notifications.create': {
    id: 'createChannel',
    alsoId: 'createDashboardChannel',
    description:
      'The recipient of an email channel gets a confirmation link, unless the address belongs to a team member. Until it is confirmed, `confirmation` is `pending` and nothing is sent. Webhook messages are signed according to Standard Webhooks. If `secret` is omitted, one is generated and returned only in this response.',
    body: { type: 'webhook', name: 'On-call', config: { url } },
    answer: { channel: { ...channel, config: { url, secret: 'whsec_q1w2e3r4t5y6u7i8o9p0a1s2d3f4g5h6' } } },
  },
  'notifications.update': {
    id: 'updateChannel',
    alsoId: 'updateDashboardChannel',
    description:
      'Updates the name, the complete config, or both. A secret that is omitted or sent as its mask is kept. If the URL points to a different server, the secret is required again.',
    body: { name: 'On-call EU' },
    answer: { channel: { ...channel, name: 'On-call EU' } },
  },
  'notifications.delete': {
    id: 'deleteChannel',
    alsoId: 'deleteDashboardChannel',
    description: 'Deletes the channel. Pending messages to it are not sent.',
    answer: { ok: true },
  },
  'notifications.test': {
    id: 'testChannel',
    alsoId: 'testDashboardChannel',
    description: 'Sends a test message immediately and returns the delivery with its result.',
    answer: { delivery: { ...delivery, incidentId: null, event: 'channel.test' }, note: null },
  },
  'notifications.testSettings': {
    id: 'testChannelSettings',
    description:
      'Sends a test message immediately with a config that is not saved, and returns what the receiver answered, without credentials. Nothing is stored. With `id`, a secret that is omitted or sent as its mask is the stored one of that channel. An email goes only to a member of the team, or to an address that confirmed.',
    body: { type: 'webhook', config: { url } },
    answer: { result: testResult },
  },
  'notifications.pushKey': {
    id: 'getPushKey',
    description:
      'Returns the public key (VAPID, RFC 8292) that browsers subscribe with as `applicationServerKey`. It follows from APP_SECRET.',
    answer: { publicKey: 'BDd3_hVL9fZi9Ybo2UUzA284WG5FZR30_95YeZJsiApwXKpNcF1rRPF3foIiBHXRdJI2Qhumhf6_LFTeZaNndIo' },
  },
  'notifications.preview': {
    id: 'previewMessage',
    alsoId: 'previewDashboardMessage',
    description:
      'Returns the message that a channel would send for the latest event of a type in the team, or for an example, with texts and a config that are not saved yet. Nothing is sent. `isShortened` says that the limits of the provider cut a text; links are kept.',
    body: { id: channel.id, event: 'incident.opened', subject: template.subject, body: template.body },
    answer: {
      preview: {
        incidentId,
        headline: '[critical] Shop is down',
        details: ['Runbook: https://wiki.example.com/01KANYZ0A1B2C3D4E5F6G7H8J9'],
        isShortened: false,
        request: {
          method: 'POST',
          url: 'https://hooks.slack.com/services/••••',
          headers: [{ name: 'content-type', value: 'application/json; charset=utf-8' }],
          body: '{"text":"[critical] Shop is down"}',
        },
      },
    },
  },
  'notifications.templates.get': {
    id: 'listChannelTemplates',
    alsoId: 'listDashboardChannelTemplates',
    description: 'Returns the templates of a channel. Events without one have the texts of Upwatch.',
    answer: { templates: [template] },
  },
  'notifications.templates.set': {
    id: 'setChannelTemplates',
    alsoId: 'setDashboardChannelTemplates',
    description: `Replaces the templates of a channel for people. \`subject\` and \`body\` are plain text with placeholders, which are not evaluated: ${placeholderNames.map((name) => `\`{{${name}}}\``).join(', ')}. The link to the incident is always added.`,
    body: { templates: [template] },
    answer: { templates: [template] },
  },
  'notifications.delivery': {
    id: 'getDelivery',
    description:
      'Returns a delivery with the request and the response of each attempt. Credentials are masked wherever they occur, bodies are cut after 4,096 characters, and both are stored for as long as raw check results.',
    answer: { delivery: { ...delivery, attempts: [{ ...delivery.attempts[0], exchange }] } },
  },
  'notifications.replay': {
    id: 'replayDelivery',
    description:
      'Sends a delivered or failed message again under the same `webhook-id`, with retries as if it were new. A pending one, and one that was replayed less than 10 s ago, stays as it is.',
    answer: {
      delivery: { ...delivery, status: 'pending', nextAttemptAt: at, replayedAt: at, replayedBy: 'Ada Byron' },
    },
  },
  'notifications.replayFailed': {
    id: 'replayFailedDeliveries',
    description:
      'Sends the failed messages that were created in a time range again, oldest first, at most 500. With `includeDelivered`, those that the receiver accepted are sent again too, for a receiver that lost them. `left` is the number that remains, at most 10,000; repeat the call with the `nextCursor` as `cursor` for them.',
    body: { from: '2026-11-20T03:00:00.000Z', to: '2026-11-20T05:00:00.000Z', includeDelivered: true },
    answer: { replayed: 3, left: 0, nextCursor: null },
  },
  'notifications.rotateSecret': {
    id: 'rotateChannelSecret',
    description:
      'Generates a new signing secret for a webhook and returns it only in this response. For `graceHours` (24 by default, at most 168) messages carry two signatures in `webhook-signature`, of the new and of the former secret.',
    body: { graceHours: 48 },
    answer: {
      channel: {
        ...channel,
        config: { url, secret: 'whsec_q1w2e3r4t5y6u7i8o9p0a1s2d3f4g5h6' },
        previousSecretUntil: '2026-11-22T03:07:12.000Z',
      },
    },
  },
  'notifications.endPreviousSecret': {
    id: 'endPreviousChannelSecret',
    description: 'Ends the former signing secret at once.',
    answer: { channel },
  },
  'notifications.setFallback': {
    id: 'setChannelFallback',
    description:
      "Chooses the channel that gets the messages while this one fails, or with null the team's fallback channel. A channel that falls back to itself over others is refused.",
    body: { fallbackChannelId: channel.id },
    answer: { channel: { ...emailChannel, fallbackChannelId: channel.id } },
  },
  'notifications.teamFallback.get': {
    id: 'getTeamFallback',
    description: 'Returns the channel that gets the messages of failing channels without a fallback of their own.',
    answer: { fallbackChannelId: channel.id },
  },
  'notifications.teamFallback.set': {
    id: 'setTeamFallback',
    description:
      'Chooses the channel that gets the messages of failing channels without a fallback of their own; null for none. It cannot have a fallback itself.',
    body: { fallbackChannelId: channel.id },
    answer: { fallbackChannelId: channel.id },
  },
  'notifications.rules.get': {
    id: 'getChannelRules',
    description:
      'Returns which alerts a channel gets, and when: its routing, quiet hours, reminders and the most messages in a minute. `matchingMonitors` is the number of monitors that have this channel and match its routing.',
    answer: { rules },
  },
  'notifications.rules.update': {
    id: 'updateChannelRules',
    description:
      'Changes the rules of a channel; fields that are left out stay. A channel gets an alert if the monitor has this channel and the rules match; a channel that was notified of an incident is also notified when it ends. `monitorIds` and `tags` null and empty mean all monitors. In `quietHours`, messages are held and sent as one summary at the end. `reminderMinutes` repeats an alert until somebody acknowledges it, at most 10 times. Channels that mirror incidents, such as webhooks, have neither quiet hours nor reminders, and no limit of messages. Channels that page people, such as PagerDuty, get no `maintenance` events.',
    body: { tags: ['payments'], quietHours: rules.quietHours },
    answer: { rules },
  },
  'notifications.grouping.get': {
    id: 'getAlertGrouping',
    description: 'Returns within how many seconds alerts to one channel make one message; 0: each makes its own.',
    answer: { grouping: { seconds: 15 } },
  },
  'notifications.grouping.update': {
    id: 'updateAlertGrouping',
    description:
      'Sets within how many seconds alerts to one channel make one message. The first alert is sent at once; what follows is sent together, with every monitor named. 0 sends each by itself. Webhooks and other channels that mirror incidents always get each by itself.',
    body: { seconds: 30 },
    answer: { grouping: { seconds: 30 } },
  },
  'notifications.resendConfirmation': {
    id: 'resendConfirmation',
    alsoId: 'resendDashboardConfirmation',
    description: 'Resends the confirmation link of an email channel. Confirmed addresses get no further email.',
    answer: { channel: emailChannel },
  },
  'notifications.getConfirmation': {
    id: 'getConfirmation',
    description: 'Returns the team and address of a confirmation link. Reading it does not confirm the address.',
    answer: { confirmation: { ...confirmation, isConfirmed: false } },
  },
  'notifications.confirmRecipient': {
    id: 'confirmRecipient',
    description:
      'Confirms that the address accepts alerts from the team. Alerts from the last day that were waiting for confirmation are sent.',
    answer: { confirmation },
  },
  'contactMethods.list': {
    id: 'listContactMethods',
    description:
      'Returns where escalations reach you in this team, in the order in which they are used. Only you see and change your contact methods.',
    answer: { contactMethods: [contactMethod] },
  },
  'contactMethods.create': {
    id: 'createContactMethod',
    description:
      'Creates a contact method of yours: a destination as of a notification channel, of a type for people. It is used `delayMinutes` after a step of an escalation began; the first of your contact methods is always used immediately, and its delay takes effect when it moves down.',
    body: { type: 'email', name: 'Mail', config: contactMethod.config, delayMinutes: 5 },
    answer: { contactMethod },
  },
  'contactMethods.reorder': {
    id: 'reorderContactMethods',
    description: 'Sets the order of your contact methods. Send the IDs of all of them.',
    body: { ids: [contactMethod.id] },
    answer: { contactMethods: [contactMethod] },
  },
  'contactMethods.update': {
    id: 'updateContactMethod',
    description: 'Updates the given fields. A secret that is omitted or sent as its mask is kept.',
    body: { delayMinutes: 10 },
    answer: { contactMethod: { ...contactMethod, delayMinutes: 10 } },
  },
  'contactMethods.delete': {
    id: 'deleteContactMethod',
    description: 'Deletes a contact method of yours. Pending messages to it are not sent.',
    answer: { ok: true },
  },
  'contactMethods.testSettings': {
    id: 'testContactMethodSettings',
    description: 'As `testChannelSettings`, for a contact method of yours. `exchange` is null for viewers.',
    body: { type: 'ntfy', config: { topic: 'northwind-alerts-x7k2' } },
    answer: { result: testResult },
  },
  'contactMethods.test': {
    id: 'testContactMethod',
    description: 'Sends a test message immediately and returns the delivery with its result.',
    answer: {
      delivery: { ...delivery, channelId: contactMethod.id, incidentId: null, event: 'channel.test' },
      note: null,
    },
  },
  'notifications.deliveries': {
    id: 'listDeliveries',
    alsoId: 'listDashboardDeliveries',
    description:
      'Returns deliveries with their attempts, newest first. Messages about one incident are delivered in order: a message waits with `nextAttemptAt` null until the previous one is delivered or has failed.',
    answer: { deliveries: [delivery], ...page },
  },
};
