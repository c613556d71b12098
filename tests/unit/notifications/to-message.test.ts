import { describe, expect, it } from 'vitest';
import type { EventData } from '@/server/notifications/messages/event';
import { inWords } from '@/server/notifications/messages/message';
import { toMessage } from '@/server/notifications/messages/to-message';
import type { ChannelType, EventType } from '@/server/notifications/schema';

const incident = {
  id: '01KACV6T3Q0000000000000000',
  type: 'downtime',
  title: null,
  cause: 'The address did not resolve',
  startedAt: '2026-11-20T03:07:12.345Z',
  resolvedAt: null as string | null,
};
const monitor = { id: '01KACV6T3Q0000000000000001', name: 'Checkout' };

function message(type: EventType, data: EventData, channel: ChannelType = 'slack') {
  return toMessage('delivery', { type, timestamp: '2026-11-20T03:07:13.000Z', data }, { id: 'channel', type: channel });
}

describe('toMessage', () => {
  it('names the status, start and cause of a downtime', () => {
    expect(message('incident.opened', { incident, monitor })).toMatchObject({
      tone: 'down',
      headline: 'Checkout is down',
      details: ['Started at 2026-11-20 03:07:12 UTC.', 'The address did not resolve.'],
      url: expect.stringMatching(/\/incidents\/01KACV6T3Q0000000000000000$/),
    });
  });

  it('shows a title only if it adds to the headline', () => {
    const of = (title: string) => message('incident.opened', { incident: { ...incident, title }, monitor }).details;
    expect(of('Checkout is down')).not.toContain('Checkout is down.');
    expect(of('Payments fail')).toContain('Payments fail.');
  });

  it.each([
    [1, 1, 'Payments, step 1 of 3.'],
    [2, 1, 'Payments, step 2 of 3. Nobody has acknowledged it yet.'],
    [1, 2, 'Payments, step 1 of 3, round 2. Nobody has acknowledged it yet.'],
  ])('says at step %i of round %i what was not acknowledged before', (step, round, line) => {
    const escalation = { policy: 'Payments', step, steps: 3, round, person: 'Robin' };
    const { headline, details } = message('incident.escalated', { incident, monitor, escalation });
    expect([headline, details[0]]).toEqual(['You are on call: Checkout is down', line]);
  });

  it('names the duration of a resolved incident', () => {
    const resolved = { ...incident, resolvedAt: '2026-11-20T03:21:40.345Z' };
    expect(message('incident.resolved', { incident: resolved, monitor })).toMatchObject({
      tone: 'up',
      headline: 'Checkout is up again',
      details: [
        'Lasted 14 min, from 2026-11-20 03:07:12 UTC to 2026-11-20 03:21:40 UTC.',
        'Cause: The address did not resolve.',
      ],
    });
  });

  it.each([
    ['degraded', 'Checkout is degraded', 'Checkout is no longer degraded'],
    ['certificate', 'The certificate of Checkout needs renewal', 'The certificate of Checkout is valid again'],
    ['manual', 'Checkout has an open incident', 'Checkout: incident resolved'],
  ])('names the kind of a %s incident', (type, opened, resolved) => {
    const data = { incident: { ...incident, type }, monitor };
    expect(message('incident.opened', data).headline).toBe(opened);
    expect(message('incident.resolved', data).headline).toBe(resolved);
  });

  it.each([
    ['manual', 'Checkout: incident resolved', ['Robin resolved the incident.', 'The monitor is still down.']],
    ['paused', 'Checkout was paused', ['It is not checked until somebody resumes it, and its incident was closed.']],
    ['deleted', 'Checkout was deleted', ['Its incident was closed.']],
    ['superseded', 'Checkout: incident resolved', ['Another incident replaced it.']],
  ] as const)('calls an incident that ended as %s no recovery', (resolution, headline, details) => {
    const data = { incident, monitor: { ...monitor, status: 'down' }, resolution, actor: 'Robin' };
    const text = message('incident.resolved', data);
    expect(text).toMatchObject({ tone: 'neutral', headline });
    expect(text.details.slice(0, details.length)).toEqual(details);
  });

  it('does not say that a monitor is failing if it recovered before its incident was resolved', () => {
    const data = { incident, monitor: { ...monitor, status: 'up' }, resolution: 'manual' as const };
    expect(message('incident.resolved', data).details[0]).toBe('Someone resolved the incident.');
    expect(message('incident.resolved', data).details[1]).toMatch(/^Started at/);
  });

  it('names who acknowledged', () => {
    const data = { incident, monitor, actor: 'Robin' };
    expect(message('incident.acknowledged', data).details[0]).toMatch(/^Robin is working on it\. Started at/);
  });

  it('uses the title of an incident without a monitor', () => {
    const data = { incident: { ...incident, type: 'manual', title: 'Data centre on fire' }, monitor: null };
    expect(message('incident.opened', data).headline).toBe('Incident: Data centre on fire');
    expect(message('incident.resolved', data).headline).toBe('Data centre on fire is resolved');
    expect(message('incident.acknowledged', data).headline).toBe('Data centre on fire: incident acknowledged');
  });

  it.each([
    ['incident.opened'],
    ['incident.reminder'],
    ['incident.acknowledged'],
    ['incident.reopened'],
    ['incident.resolved'],
  ] as const)('names the components of an incident in %s, each once', (type) => {
    const components = ['Support phone line', 'Payments provider', 'Support phone line'].map((name) => ({ name }));
    const data = { incident: { ...incident, type: 'manual', title: 'Calls drop', components }, monitor: null };
    expect(message(type, data).details).toContain('Affects Support phone line and Payments provider.');
    const without = { incident: { ...data.incident, components: [] }, monitor: null };
    expect(message(type, without).details.join(' ')).not.toContain('Affects');
  });

  it('keeps the headline on one line if the monitor name has line breaks', () => {
    const data = { incident, monitor: { ...monitor, name: 'Check\r\nBcc: everyone@example.com\n out' } };
    expect(message('incident.opened', data).headline).toBe('Check Bcc: everyone@example.com out is down');
  });

  it('links to the acknowledgment of an open incident, for people only', () => {
    const link = { acknowledgeUrl: expect.stringMatching(/\/acknowledge\/v1\.[\w-]+\.[\w-]{60,200}$/) };
    const open = { incident: { ...incident, status: 'open' }, monitor };
    expect(message('incident.opened', open)).toMatchObject(link);
    const acknowledged = { incident: { ...incident, status: 'acknowledged' }, monitor };
    expect(message('incident.acknowledged', acknowledged)).not.toHaveProperty('acknowledgeUrl');
    expect(message('incident.resolved', { incident, monitor })).not.toHaveProperty('acknowledgeUrl');
    expect(message('incident.opened', open, 'webhook')).not.toHaveProperty('acknowledgeUrl');
  });

  it.each([
    ['maintenance.upcoming', 'Planned maintenance: New router', 3],
    ['maintenance.started', 'Maintenance started: New router', 3],
    ['maintenance.ended', 'Maintenance ended: New router', 2],
    ['maintenance.cancelled', 'Maintenance cancelled: New router', 2],
  ] as const)('names times and monitors of %s', (type, headline, count) => {
    const times = { startsAt: '2027-01-02T03:00:00.000Z', endsAt: '2027-01-02T05:00:00.000Z' };
    const maintenance = { id: 'window', title: 'New\nrouter', ...times, monitorNames: ['A', 'B'], monitorCount: 5 };
    const text = message(type, { incident: null, monitor: null, maintenance });
    expect(text).toMatchObject({ tone: 'neutral', headline, url: 'http://127.0.0.1:3000/maintenance/window' });
    expect(text.details).toHaveLength(count);
    expect(text.details.slice(0, 2)).toEqual([
      `${type === 'maintenance.cancelled' ? 'It was planned from' : 'From'} 2027-01-02 03:00:00 UTC to 2027-01-02 05:00:00 UTC.`,
      'Affects A, B, and 3 more monitors.',
    ]);
  });

  it('builds a test message without an incident', () => {
    const test = message('channel.test', { incident: null, monitor: null });
    expect(test.headline).toBe('Test message from Upwatch');
  });
});

it.each([
  [0.4, 'less than 1 s'],
  [45.9, '45 s'],
  [60, '1 min'],
  [868, '14 min'],
  [7_500, '2 h 5 min'],
  [7_200, '2 h'],
  [277_200, '3 d 5 h'],
])('formats %s seconds as %s', (seconds, words) => {
  expect(inWords(seconds)).toBe(words);
});

it('has the tone of the severity of an open incident, which providers show as a color or a priority', () => {
  const incident = { id: 'i1', startedAt: '2026-11-20T03:07:12.000Z', status: 'open' };
  const toneOf = (type: string, severity?: 'critical' | 'warning' | 'minor') => {
    const data = { incident: { ...incident, type, ...(severity && { severity }) }, monitor: { id: 'm1', name: 'API' } };
    const payload = { type: 'incident.opened' as const, timestamp: incident.startedAt, data };
    const { tone, details } = toMessage('d1', payload, { id: 'c1', type: 'ntfy' });
    return [tone, details.find((line) => line.startsWith('Severity'))];
  };
  expect(toneOf('downtime', 'critical')).toEqual(['down', undefined]);
  expect(toneOf('downtime', 'minor')).toEqual(['degraded', 'Severity: minor.']);
  expect(toneOf('manual', 'warning')).toEqual(['degraded', 'Severity: warning.']);
  expect(toneOf('degraded', 'critical')).toEqual(['down', 'Severity: critical.']);
  expect([toneOf('downtime'), toneOf('degraded')]).toEqual([
    ['down', undefined],
    ['degraded', undefined],
  ]);
});
