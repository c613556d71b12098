import { describe, expect, it } from 'vitest';
import { channelName, channelNote, kindBefore } from '@/app/_components/channels';
import { DeliveryState } from '@/app/_components/delivery-state';
import { incidentTitle } from '@/app/_components/incidents/incident-words';
import { splitReason } from '@/app/_components/status/reason';
import { splitTimes } from '@/app/_components/time/text-with-times';
import { tookWords } from '@/app/(dashboard)/(team)/incidents/_components/acknowledgement';
import {
  acknowledgedWords,
  notNotifiedReason,
  resolveWords,
} from '@/app/(dashboard)/(team)/incidents/_components/alert-words';
import type { IncidentDetail } from '@/server/incidents/schema';

type Message = IncidentDetail['messages'][number];

const message = (event: string, status: Message['status'] = 'delivered'): Message => ({
  id: event,
  event,
  status,
  channelName: 'Ops',
  channelType: 'line',
  attempts: 1,
  lastAttemptAt: null,
  lastError: null,
  nextAttemptAt: null,
  isSending: false,
  hold: null,
  channelState: 'delivering',
  channelPausedUntil: null,
});

const firstNotifiedAt = null;
const monitor = { name: 'Shop', type: 'http', status: 'down', lastError: null } as const;

describe('notification texts', () => {
  it('promises no notifications if no channel is notified', () => {
    expect(acknowledgedWords({ messages: [] })).toBe('Acknowledged. No channels are notified of this incident.');
    expect(resolveWords({ messages: [], firstNotifiedAt, monitor: { ...monitor, status: 'up' } })).toBe(
      'The monitor is up.',
    );
    expect(resolveWords({ messages: [], firstNotifiedAt, monitor })).not.toMatch(/alert/);
    expect(resolveWords({ messages: [], firstNotifiedAt, monitor: null })).toBe('No channels are notified.');
    expect(notNotifiedReason({ messages: [] })).toBe('no channels');
    expect(notNotifiedReason({ messages: [] }, true)).toBe('caused by a parent incident');
  });

  it('counts the queued notifications', () => {
    const messages = [message('incident.opened'), message('incident.acknowledged'), message('incident.acknowledged')];
    expect(acknowledgedWords({ messages })).toBe('Acknowledged. 2 notifications are queued.');
    expect(acknowledgedWords({ messages: messages.slice(0, 2) })).toContain('1 notification is queued');
    expect(resolveWords({ messages, firstNotifiedAt, monitor: null })).toBe(
      'The channels that were alerted are notified.',
    );
    expect(resolveWords({ messages, firstNotifiedAt, monitor })).toContain('and alerts are sent again');
  });

  it('distinguishes failed from retrying deliveries', () => {
    expect(notNotifiedReason({ messages: [message('incident.opened', 'failed')] })).toBe('delivery failed');
    expect(notNotifiedReason({ messages: [message('monitor.certificate_expiring', 'pending')] })).toBe('retrying');
  });

  it('says that quiet hours hold a notification', () => {
    const held: Message = { ...message('incident.opened', 'pending'), hold: 'quiet_hours' };
    expect(notNotifiedReason({ messages: [held, message('incident.opened', 'failed')] })).toBe('held in quiet hours');
    expect(notNotifiedReason({ messages: [held, message('incident.opened', 'pending')] })).toBe('retrying');
  });

  it('counts who is called by an escalation as notified', () => {
    const messages = [message('incident.escalated')];
    expect(resolveWords({ messages, firstNotifiedAt, monitor })).toContain('and alerts are sent again');
  });

  it('remembers an alert that is older than the messages shown', () => {
    const given = { messages: [message('incident.acknowledged')], monitor };
    expect(resolveWords({ ...given, firstNotifiedAt: '2026-11-22T00:00:09Z' })).toContain('and alerts are sent again');
    expect(resolveWords({ ...given, firstNotifiedAt })).not.toMatch(/alert/);
  });

  it('distinguishes deliveries that wait from one that is being sent, also after failed attempts', () => {
    const pending = { status: 'pending', attempts: 0, isSending: false, hold: null } as const;
    const wordOf = (changes: object) => DeliveryState({ ...pending, ...changes }).props.word;
    expect(wordOf({})).toBe('Queued');
    expect(wordOf({ isSending: true })).toBe('Sending');
    expect(wordOf({ isSending: true, attempts: 2 })).toBe('Sending');
    expect(wordOf({ attempts: 2 })).toBe('Retrying (2 attempts)');
    expect(wordOf({ hold: 'quiet_hours' })).toBe('Held, quiet hours');
  });

  it('marks a failing channel in lists', () => {
    expect(channelName({ name: 'Ops', state: 'failing' })).toBe('Ops (failing)');
    expect(channelNote({ type: 'slack', state: 'failing' })).toBe('Slack, failing');
    expect(channelNote({ type: 'slack', state: 'retrying' })).toBe('Slack');
  });

  it('shows the type of a channel once', () => {
    expect(kindBefore('line', 'LINE on-call')).toBeNull();
    expect(kindBefore('line', 'On-call')).toBe('LINE');
  });
});

describe('incidentTitle', () => {
  it.each([
    ['downtime', 'Shop is down', 'Shop was down'],
    ['degraded', 'Shop is degraded', 'Shop was degraded'],
    ['certificate', 'The certificate of Shop needs renewal', 'The certificate of Shop needed renewal'],
    ['manual', 'The shop is down', 'The shop is down'],
    ['downtime', 'Payments fail', 'Payments fail'],
  ] as const)('writes the title of a resolved %s incident ("%s") in the past tense', (type, title, resolved) => {
    expect(incidentTitle({ type, title, status: 'open' }, 'Shop')).toBe(title);
    expect(incidentTitle({ type, title, status: 'resolved' }, 'Shop')).toBe(resolved);
  });
});

describe('tookWords', () => {
  const startedAt = '2026-11-17T03:00:00.000Z';

  it.each([
    ['2026-11-17T03:00:00.955Z', '955 ms'],
    ['2026-11-17T03:00:02.400Z', '2.4 s'],
    ['2026-11-17T03:14:56.000Z', '14 min 56 s'],
    ['2026-11-17T02:59:59.000Z', '0 ms'],
  ])('counts from the start and uses the same wording everywhere: formats %s as %s', (at, words) => {
    expect(tookWords({ startedAt }, at)).toBe(words);
  });
});

describe('splitTimes and splitReason', () => {
  it('splits times out of generated sentences', () => {
    expect(splitTimes('No ping received from 2026-11-17 03:00:00 UTC to 2026-11-17 03:05:00 UTC')).toEqual([
      { text: 'No ping received from ' },
      { key: 1, at: '2026-11-17T03:00:00Z' },
      { text: ' to ' },
      { key: 3, at: '2026-11-17T03:05:00Z' },
      { text: '' },
    ]);
  });

  it('splits the end of maintenance out of the line that names it', () => {
    expect(splitTimes('In maintenance “Database upgrade” until 2026-11-17 02:00:00 UTC.')).toEqual([
      { text: 'In maintenance “Database upgrade” until ' },
      { key: 1, at: '2026-11-17T02:00:00Z' },
      { text: '.' },
    ]);
  });

  it('leaves quoted responses unchanged', () => {
    const text = 'Expected body to contain "2026-11-17 03:00:00 UTC"';
    expect(splitTimes(text)).toEqual([{ text }]);
  });

  it('separates the received part of a reason', () => {
    expect(splitReason('Expected body to be "a, got b", got "c"')).toEqual([
      'Expected body to be "a, got b"',
      ', got "c"',
    ]);
    expect(splitReason('Certificate is not for a.example, but for b.example')[1]).toBe(', but for b.example');
    expect(splitReason('Connection refused')).toEqual(['Connection refused', '']);
  });
});
