import { brotliCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dayAt, daySentence } from '@/app/status/_browser/tips';
import { toDaysData } from '@/app/status/_components/days-data';
import { policy, renderNotice, renderPage } from '@/app/status/render';
import { component, EVIL, incident, page } from './pages';

const addresses = { style: '/status/assets/a.css', script: '/status/assets/a.js', font: '/status/assets/a.woff2' };
const bad = { day: '2026-11-15', down: 1080, degraded: 1380, unknown: 0, maintenance: 0, uptime: 0.9875 };
const days = [...Array<null>(60).fill(null), ...Array<'up'>(27).fill('up'), 'down', 'up', 'up'] as const;
const checkout = component({ days: [...days], notableDays: [bad] });

describe('status page HTML', () => {
  it('escapes team input in text, attributes and data', () => {
    const evil = page({
      title: EVIL,
      description: EVIL,
      headline: EVIL,
      components: [component({ name: EVIL })],
      openIncidents: [incident({ title: EVIL, component: EVIL })],
    });
    const html = renderPage(evil, addresses, null);
    expect(html).not.toContain('<script>alert(1)');
    expect(html.match(/<script/g)).toHaveLength(3);
    expect(html.match(/<\/script>/g)).toHaveLength(3);
  });

  it('has no script, style or handler that its policy blocks', () => {
    const html = renderPage(page({ components: [checkout] }), addresses, null);
    expect(html).not.toMatch(/ style="| on\w+="/);
    expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/=]+'(;|$)/);
    expect(policy).not.toContain('unsafe');
  });

  it('takes at most 40 KB for 50 components, compressed', () => {
    const components = Array.from({ length: 50 }, (_, at) => ({
      ...checkout,
      id: String(at).padStart(32, '0'),
      name: `Service ${at}`,
      notableDays: Array.from({ length: at % 10 }, (_, day) => ({ ...bad, day: `2026-11-0${day + 1}`, down: at * 7 })),
    }));
    const html = renderPage(page({ components }), addresses, null);
    expect(brotliCompressSync(html).length).toBeLessThan(40_000);
  });

  it('shows the age of a snapshot that could not be refreshed', () => {
    const delay = { readAt: '2026-11-17T03:21:44.000Z', ageSeconds: 312 };
    const text = renderPage(page(), addresses, delay).replace(/<[^>]+>/g, '');
    expect(text).toContain('Updates are delayed. This page shows the status at 03:21:44 UTC, 5 min 12 s ago.');
    expect(renderPage(page(), addresses, null)).not.toContain('delayed.');
  });

  it('shows the same notice for a missing and a private page', () => {
    expect(renderNotice('not-found', addresses)).toContain('<h1>Status page not found</h1>');
  });
});

describe('dayAt', () => {
  // Dates in another year include the year.
  beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-17T12:00:00Z'), toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  const trouble = incident({
    startedAt: '2026-11-14T23:50:00.000Z',
    resolvedAt: '2026-11-15T00:31:00.000Z',
    status: 'resolved',
  });
  const other = incident({ id: '9'.repeat(32), componentIds: ['x'], startedAt: '2026-11-15T01:00:00.000Z' });
  const data = toDaysData(page({ components: [checkout], pastIncidents: [trouble], openIncidents: [other] }));
  const sentence = (index: number) => daySentence(dayAt(data, checkout.id, index));

  it('shows the time in each status, the uptime and the incidents', () => {
    expect(dayAt(data, checkout.id, 87)).toEqual({
      title: 'Sunday 15 November',
      lines: [
        { state: 'down', word: 'Major outage', value: '18 min' },
        { state: 'degraded', word: 'Degraded performance', value: '23 min' },
        { state: null, word: 'Uptime', value: '98.75 %' },
      ],
      incidents: [expect.objectContaining({ id: trouble.id, title: 'Checkout is down' })],
    });
    expect(sentence(87)).toBe(
      'Sunday 15 November: major outage 18 min, degraded performance 23 min, uptime 98.75 %, 1 incident',
    );
  });

  it('shows a day without downtime and one without data', () => {
    expect(sentence(89)).toBe('Tuesday 17 November: no downtime');
    expect(sentence(0)).toBe('Thursday 20 August: no data');
  });
});
