import { describe, expect, it } from 'vitest';
import { readAcknowledgeToken } from '@/server/notifications/acknowledgments/acknowledge-link';
import { type Single, toGroupMessages } from '@/server/notifications/messages/group-message';
import { toMessage } from '@/server/notifications/messages/to-message';
import {
  type ChannelType,
  channelTypes,
  mirroringTypes,
  textLimitOf,
} from '@/server/notifications/providers/definitions';
import { SMS_FORM } from '@/server/notifications/providers/sms';
import { toText } from '@/server/notifications/providers/to-text';
import type { EventType } from '@/server/notifications/schema';

let count = 0;

interface Options {
  type?: string;
  event?: EventType;
  cause?: string | null;
  status?: string;
  incidentId?: string;
  components?: { name: string }[];
  resolution?: 'recovered' | 'paused';
  /** The person whom an escalation calls; null: a channel. */
  person?: string | null;
}

/** A delivery about a monitor. */
function about(name: string, { type = 'downtime', event = 'incident.opened', ...rest }: Options = {}): Single {
  count += 1;
  const {
    cause = 'HTTP 503',
    status = event === 'incident.resolved' ? 'resolved' : 'open',
    incidentId = `incident${count}`,
    resolution,
    person,
    components = [],
  } = rest;
  const escalation = { policy: 'Payments', step: 1, steps: 2, round: 1, person: person ?? null };
  const incident = {
    id: incidentId,
    type,
    status,
    cause,
    components,
    startedAt: '2026-11-20T03:07:12.000Z',
    ...(event === 'incident.resolved' && { resolvedAt: '2026-11-20T03:09:12.000Z' }),
  };
  const data = {
    incident,
    monitor: { id: `monitor-${name}`, name },
    ...(resolution && { resolution }),
    ...(person !== undefined && { escalation }),
  };
  const id = `delivery${String(count).padStart(5, '0')}`;
  const payload = { type: event, timestamp: '2026-11-20T03:07:13.000Z', data };
  return { id, opening: 0, message: toMessage(id, payload, { id: 'channel', type: 'slack' }) };
}

const channel = { id: 'channel', type: 'slack' as ChannelType };
const wide = { channel, textLimit: 10_000, most: 4 };
const textOf = ({ message }: { message: { headline: string; details: string[] } }) =>
  [message.headline, ...message.details].join('\n');

describe('toGroupMessages', () => {
  it('sends a single delivery as it is', () => {
    const single = about('API');
    expect(toGroupMessages([single], wide)).toEqual([{ ids: [single.id], message: single.message, openings: [] }]);
  });

  it('names the components of incidents, with causes and without', () => {
    const components = [{ name: 'Phone' }, { name: 'Bank' }];
    const singles = [about('API'), about('Till', { type: 'manual', components })];
    expect(toGroupMessages(singles, wide)[0]?.message.details[1]).toBe(
      'Till has an open incident (Phone, Bank): HTTP 503',
    );
    const cause = 'x'.repeat(120);
    const long = [about('API', { cause }), about('Till', { type: 'manual', components, cause })];
    const [short] = toGroupMessages(long, { channel, textLimit: 100, most: 4 });
    expect(short?.message.details.join(' ')).toContain('Till (Phone, Bank)');
  });

  it('names all monitors with their causes', () => {
    const singles = [about('API'), about('Checkout', { cause: 'Timeout\nafter 10 s' })];
    const [group, ...others] = toGroupMessages(singles, wide);
    expect(others).toEqual([]);
    expect(group).toMatchObject({
      ids: singles.map(({ id }) => id),
      message: {
        tone: 'down',
        headline: '2 monitors are down',
        details: ['API is down: HTTP 503', 'Checkout is down: Timeout after 10 s'],
        incidentIds: singles.map(({ message }) => message.payload.data.incident?.id),
        url: expect.stringMatching(/\/incidents$/),
      },
    });
  });

  it('orders states by urgency and counts each', () => {
    const singles = [
      about('A', { event: 'incident.resolved' }),
      about('B', { type: 'certificate', event: 'monitor.certificate_expiring' }),
      about('C', { type: 'degraded' }),
      about('D'),
      about('E'),
      about('F', { event: 'incident.acknowledged' }),
      about('G', { event: 'incident.resolved', resolution: 'paused' }),
    ];
    const [group] = toGroupMessages(singles, wide);
    expect(group?.message.headline).toBe(
      '2 monitors are down, 1 degraded, 1 certificate needs renewal, 1 incident acknowledged, 1 recovered, 1 incident closed',
    );
    expect(group?.message.details.map((line) => line[0])).toEqual(['D', 'E', 'C', 'T', 'F', 'A', 'G']);
  });

  it('reports an incident that has ended as ended, once', () => {
    const opened = about('API', { incidentId: 'same' });
    const resolved = about('API', { incidentId: 'same', event: 'incident.resolved' });
    const [group, ...others] = toGroupMessages([opened, resolved], wide);
    expect(others).toEqual([]);
    expect(group).toMatchObject({
      ids: [opened.id, resolved.id],
      message: { headline: 'API is up again', tone: 'up' },
    });
  });

  it('acknowledges the incidents of each part while one of them is open', () => {
    const acknowledged = (name: string) => about(name, { event: 'incident.acknowledged', status: 'acknowledged' });
    const names = Array.from('abcdefgh', (letter) => letter.repeat(60));
    const singles = [...names.slice(0, 5).map((name) => about(name)), ...names.slice(5).map(acknowledged)];
    const groups = toGroupMessages(singles, { channel, textLimit: 240, most: 8 });
    expect(groups.length).toBeGreaterThan(1);
    for (const { message, ids, openings } of groups) {
      const named = singles.filter(({ id }) => ids.includes(id));
      const isOpen = named.some(({ message: { payload } }) => payload.data.incident?.status === 'open');
      const isGroup = named.length > 1 && isOpen;
      expect(message.button).toBe(isGroup ? `group.${message.id}` : named[0]?.message.button);
      expect(openings).toEqual(
        isGroup
          ? named.map(({ opening, message: { payload } }) => ({ incidentId: payload.data.incident?.id, opening }))
          : [],
      );
    }
    const [group] = toGroupMessages([about('A'), about('B')], wide);
    expect(readAcknowledgeToken(group?.message.acknowledgeUrl?.split('/').at(-1) ?? '')).toEqual({
      target: { groupId: group?.message.id },
      channelId: 'channel',
    });
    // A button of Telegram has 64 bytes.
    expect(`acknowledge:${group?.message.button}`.length).toBeLessThan(64);
    const mirror = { ...channel, type: 'webhook' as ChannelType };
    const [event] = toGroupMessages([about('A'), about('B')], { ...wide, channel: mirror });
    expect(event?.message.button).toBeUndefined();
  });

  describe('for a person on call', () => {
    const call = (name: string) => about(name, { event: 'incident.escalated', person: 'Robin' });

    it('says so in the headline and in each line', () => {
      const [group] = toGroupMessages([call('API'), call('Checkout')], wide);
      expect(group?.message.headline).toBe('You are on call: 2 monitors are down');
      expect(group?.message.details).toEqual([
        'You are on call: API is down: HTTP 503',
        'You are on call: Checkout is down: HTTP 503',
      ]);
    });

    it('says so for the entries that call, which come first, if there are others', () => {
      const singles = [about('Shop'), call('API'), about('Mail', { event: 'incident.resolved' })];
      const [group] = toGroupMessages(singles, wide);
      expect(group?.message.headline).toBe('You are on call: 1 monitor is down. Also: 1 monitor is down, 1 recovered');
      expect(group?.message.details[0]).toBe('You are on call: API is down: HTTP 503');
      expect(group?.message.details[1]).toBe('Shop is down: HTTP 503');
    });

    it('lists the names of calls by themselves if causes do not fit', () => {
      const cause = 'x'.repeat(300);
      const singles = [about('Shop', { cause }), call('API'), call('Web'), about('Mail', { cause })];
      const [group] = toGroupMessages(singles, { channel, textLimit: 260, most: 4 });
      expect(group?.message.details).toEqual(['On call, down: API, Web', 'Down: Shop, Mail']);
    });

    it('does not call for an incident that is over by now', () => {
      const [before, after] = [call('API'), about('Shop')];
      const resolved = about('API', { event: 'incident.resolved', incidentId: 'same', person: 'Robin' });
      const called = about('API', { event: 'incident.escalated', incidentId: 'same', person: 'Robin' });
      const [group] = toGroupMessages([called, resolved, after], wide);
      expect(group?.message.headline).toBe('1 monitor is down, 1 recovered');
      expect(toGroupMessages([before, resolved], wide)[0]?.message.headline).toBe(
        'You are on call: 1 monitor is down. Also: 1 monitor recovered',
      );
    });
  });

  it('has the same ID for the same deliveries only', () => {
    const [a, b, c] = [about('A'), about('B'), about('C')];
    const idOf = (singles: Single[]) => toGroupMessages(singles, wide)[0]?.message.id;
    expect(idOf([a, b])).toBe(idOf([a, b]));
    expect(idOf([a, b])).not.toBe(idOf([a, b, c]));
    expect(idOf([a, b])).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  });

  it('drops the causes if they do not fit', () => {
    const singles = Array.from({ length: 20 }, (_, index) => about(`Shop ${index}`, { cause: 'x'.repeat(300) }));
    const [group, ...others] = toGroupMessages(singles, { channel, textLimit: 400, most: 4 });
    expect(others).toEqual([]);
    expect(group?.message.details).toEqual([
      `Down: ${Array.from({ length: 20 }, (_, index) => `Shop ${index}`).join(', ')}`,
    ]);
  });

  it.each([
    [3_000, 16],
    [3_000, 40],
  ])('names 500 monitors in at most 4 messages of %i characters (names of %i)', (textLimit, length) => {
    const names = Array.from({ length: 500 }, (_, index) => `${String(index).padStart(3, '0')} ${'n'.repeat(length)}`);
    const singles = names.map((name) => about(name));
    const groups = toGroupMessages(singles, { channel, textLimit, most: 4 });
    expect(groups.length).toBeLessThanOrEqual(4);
    for (const group of groups) expect(textOf(group).length).toBeLessThanOrEqual(textLimit);
    expect(groups.flatMap(({ ids }) => ids)).toEqual(singles.map(({ id }) => id));
    const text = groups.map(textOf).join('\n');
    expect(names.filter((name) => !text.includes(name.slice(0, 3)))).toEqual([]);
    expect(groups.at(-1)?.message.headline).toBe(`500 monitors are down (${groups.length} of ${groups.length})`);
  });

  it('names few monitors with long names in full', () => {
    const names = Array.from({ length: 12 }, (_, index) => `${index}${'n'.repeat(98)}`);
    const groups = toGroupMessages(
      names.map((name) => about(name)),
      { channel, textLimit: 600, most: 4 },
    );
    const text = groups.map(textOf).join('\n');
    expect(names.filter((name) => !text.includes(name))).toEqual([]);
  });

  describe('of 500 monitors with realistic names', () => {
    const names = Array.from({ length: 500 }, (_, index) => `shop-${String(index).padStart(3, '0')}.example`);
    const groupsFor = (type: ChannelType, most = 4) =>
      toGroupMessages(
        names.map((name) => about(name)),
        { channel, textLimit: textLimitOf(type), most },
      );
    const peopleTypes = channelTypes.filter((type) => !mirroringTypes.includes(type));
    const namedIn = (text: string) => names.filter((name) => text.includes(name));

    it.each(channelTypes)('fits the limits of %s and counts what it does not name', (type) => {
      const groups = groupsFor(type);
      expect(groups.length).toBeLessThanOrEqual(4);
      expect(groups.flatMap(({ ids }) => ids)).toHaveLength(500);
      for (const { message } of groups) {
        const room = Math.max(200, textLimitOf(type) - message.headline.length - 1);
        expect(message.details.join('\n').length).toBeLessThanOrEqual(room);
        expect(message.headline).toMatch(/^500 monitors are down/);
      }
      const named = namedIn(groups.map(textOf).join('\n')).length;
      const more = 500 - named;
      const last = groups.at(-1)?.message;
      expect(last?.details.at(-1)?.startsWith('and ')).toBe(more > 0);
      if (more > 0) expect(last?.details.at(-1)).toBe(`and ${more} more`);
      expect(last?.url).toMatch(/\/incidents$/);
    });

    it('names all of them in every kind for people but those with small limits', () => {
      const partial = peopleTypes.filter((type) => namedIn(groupsFor(type).map(textOf).join('\n')).length < 500);
      expect(partial.sort()).toEqual(['ntfy', 'pushover', 'rocketchat', 'signal', 'twilio', 'vonage', 'web_push']);
    });

    it('sends text messages of which the provider cuts nothing', () => {
      for (const { message } of groupsFor('twilio')) {
        const text = toText(message, SMS_FORM);
        for (const line of message.details) expect(text).toContain(line);
        expect(text).toContain(message.url);
      }
    });

    it('names the most urgent ones first where not all fit', () => {
      const recovered = names.map((name) => about(name, { event: 'incident.resolved' }));
      const down = [about('checkout.example'), about('payments.example')];
      const [first] = toGroupMessages([...recovered, ...down], { channel, textLimit: textLimitOf('vonage'), most: 1 });
      expect(first?.message.details[0]).toBe('Down: checkout.example, payments.example');
      expect(first?.message.details.at(-1)).toMatch(/^and 49\d more$/);
      expect(first?.ids).toHaveLength(502);
    });
  });

  it('shortens names in the middle, so that their beginnings and ends stay', () => {
    const names = Array.from(
      { length: 40 },
      (_, index) => `${index + 10}-api.${'region'.repeat(8)}.example-${index + 10}`,
    );
    const groups = toGroupMessages(
      names.map((name) => about(name)),
      { channel, textLimit: 400, most: 4 },
    );
    const shown = groups.flatMap(({ message }) =>
      message.details.flatMap((line) => line.replace('Down: ', '').split(', ')),
    );
    expect(shown).toHaveLength(40);
    expect(new Set(shown).size).toBe(40);
    for (const [index, name] of shown.entries()) {
      expect(name.length).toBeGreaterThanOrEqual(12);
      expect(name).toMatch(new RegExp(`^${index + 10}-api.*….*-${index + 10}$`));
    }
  });
});
