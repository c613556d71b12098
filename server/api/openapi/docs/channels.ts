import type { OperationDoc } from '../types';
import { channel, delivery, page } from './examples';

const url = 'https://hooks.example.com/upwatch';

export const channelDocs: Record<string, OperationDoc> = {
  'notifications.list': {
    id: 'listChannels',
    description: 'Secrets are masked.',
    answer: { channels: [channel], ...page },
  },
  'notifications.get': { id: 'getChannel', description: 'Secrets are masked.', answer: { channel } },
  'notifications.create': {
    id: 'createChannel',
    description:
      'Messages to a webhook are signed as Standard Webhooks says. Without a `secret` one is made; this answer alone shows it.',
    body: { type: 'webhook', name: 'On-call', config: { url } },
    answer: { channel: { ...channel, config: { url, secret: 'whsec_q1w2e3r4t5y6u7i8o9p0a1s2d3f4g5h6' } } },
  },
  'notifications.update': {
    id: 'updateChannel',
    description: 'Changes the name, the whole config, or both. A secret given as its mask stays as it is.',
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
  'notifications.deliveries': {
    id: 'listDeliveries',
    description:
      'Latest first, with their attempts. What a channel is told of one incident goes out in the order in which it happened: a message waits, with `nextAttemptAt` null, until the one before it is delivered or has failed.',
    answer: { deliveries: [delivery], ...page },
  },
};
