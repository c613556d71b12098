import type { OperationDoc } from '../types';
import { channel, delivery, page } from './examples';

const url = 'https://hooks.example.com/upwatch';
const MASKS =
  "Credentials are masked, also a chat webhook's URL. Callers without the right to write get of a webhook's URL only the host.";
const emailChannel = {
  ...channel,
  type: 'email',
  config: { to: 'on-call@example.com' },
  confirmation: 'pending',
};
const confirmation = { teamName: 'Northwind', address: 'on-call@example.com', isConfirmed: true };

export const channelDocs: Record<string, OperationDoc> = {
  'notifications.list': {
    id: 'listChannels',
    description: MASKS,
    answer: { channels: [channel], ...page },
  },
  'notifications.get': { id: 'getChannel', description: MASKS, answer: { channel } },
  'notifications.create': {
    id: 'createChannel',
    description:
      'The address of an email channel gets a link to confirm that it wants the messages, unless it belongs to a member of the team; until then `confirmation` is `pending` and nothing is sent to it. Messages to a webhook are signed as Standard Webhooks says. Without a `secret` one is made; this answer alone shows it.',
    body: { type: 'webhook', name: 'On-call', config: { url } },
    answer: { channel: { ...channel, config: { url, secret: 'whsec_q1w2e3r4t5y6u7i8o9p0a1s2d3f4g5h6' } } },
  },
  'notifications.update': {
    id: 'updateChannel',
    description:
      'Changes the name, the whole config, or both. A secret left out or given as its mask stays as it is, unless the URL now leads to another server: then it is refused and has to be given again.',
    body: { name: 'On-call EU' },
    answer: { channel: { ...channel, name: 'On-call EU' } },
  },
  'notifications.delete': {
    id: 'deleteChannel',
    description: 'Messages that wait for it are not sent any more.',
    answer: { ok: true },
  },
  'notifications.test': {
    id: 'testChannel',
    description: 'Sends a message now, and answers how that went.',
    answer: { delivery: { ...delivery, incidentId: null, event: 'channel.test' } },
  },
  'notifications.resendConfirmation': {
    id: 'resendConfirmation',
    description:
      'Mails the link again with which the address of an email channel confirms that it wants the messages. An address that has confirmed is not asked again.',
    answer: { channel: emailChannel },
  },
  'notifications.getConfirmation': {
    id: 'getConfirmation',
    description: 'What the link in a confirmation message asks for. Looking at it confirms nothing.',
    answer: { confirmation: { ...confirmation, isConfirmed: false } },
  },
  'notifications.confirmRecipient': {
    id: 'confirmRecipient',
    description:
      'Confirms that the address wants the alerts of the team. Those of the last day that waited for it are sent.',
    answer: { confirmation },
  },
  'notifications.deliveries': {
    id: 'listDeliveries',
    description:
      'Latest first, with their attempts. What a channel is told of one incident goes out in the order in which it happened: a message waits, with `nextAttemptAt` null, until the one before it is delivered or has failed.',
    answer: { deliveries: [delivery], ...page },
  },
};
