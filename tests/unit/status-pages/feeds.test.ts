import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { atomFeed } from '@/server/status-pages/feeds/atom';
import { badge } from '@/server/status-pages/feeds/badge';
import { rssFeed } from '@/server/status-pages/feeds/rss';
import { component, EVIL, incident, page } from './pages';

const NOW = new Date('2026-11-17T04:00:00.000Z');

interface Element {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: Element[];
}

/** Parses XML strictly (XML 1.0): the first error throws. */
function parse(xml: string): Element {
  const root: Element = { name: '', attributes: {}, text: '', children: [] };
  const open = [root];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name, attributes: attributes as Record<string, string>, text: '', children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const last = open.at(-1);
    if (last) last.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  const [first] = root.children;
  if (!first) throw new Error('An XML document has one element.');
  return first;
}

const all = (element: Element, name: string) => element.children.filter((child) => child.name === name);
const text = (element: Element, name: string) => all(element, name)[0]?.text;

const past = incident({
  id: '1'.repeat(32),
  status: 'resolved',
  startedAt: '2026-11-01T10:00:00.000Z',
  resolvedAt: '2026-11-01T11:00:00.000Z',
  updates: [],
});
const evil = page({
  title: EVIL,
  headline: `${EVIL} is down\u0001\uffff`,
  components: [component({ name: EVIL, status: 'down' })],
  openIncidents: [
    incident({ title: EVIL, component: EVIL, updates: incident().updates.map((each) => ({ ...each, message: EVIL })) }),
  ],
  overall: 'down',
});

describe('Atom feed', () => {
  const feed = parse(atomFeed(page({ openIncidents: [incident()], pastIncidents: [past] }), NOW));

  it('has the elements that RFC 4287 requires of a feed and an entry', () => {
    expect(feed.name).toBe('feed');
    expect(feed.attributes.xmlns).toBe('http://www.w3.org/2005/Atom');
    for (const element of [feed, ...all(feed, 'entry')]) {
      expect(all(element, 'id')).toHaveLength(1);
      expect(text(element, 'id')).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(all(element, 'title')).toHaveLength(1);
      expect(text(element, 'updated')).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    }
    expect(text(all(feed, 'author')[0] as Element, 'name')).toBe('Northwind Cloud');
    expect(all(feed, 'link').map(({ attributes }) => attributes.rel)).toEqual(['self', 'alternate']);
  });

  it('lists the latest update first, each incident under its own ID', () => {
    const entries = all(feed, 'entry');
    expect(entries.map((entry) => text(entry, 'updated'))).toEqual([
      '2026-11-17T03:16:20.000Z',
      '2026-11-01T11:00:00.000Z',
    ]);
    expect(text(feed, 'updated')).toBe('2026-11-17T03:16:20.000Z');
    expect(new Set(entries.map((entry) => text(entry, 'id'))).size).toBe(2);
    expect(text(entries[0] as Element, 'content')).toContain('<strong>Update.</strong> Rolling it back.');
  });

  it('escapes names', () => {
    const strange = parse(atomFeed(evil, NOW));
    expect(text(strange, 'title')).toBe(EVIL);
    const content = text(all(strange, 'entry')[0] as Element, 'content');
    expect(content).not.toContain('<script>');
    expect(content).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });
});

describe('RSS feed', () => {
  it('is a channel with an item for each incident', () => {
    const rss = parse(rssFeed(page({ openIncidents: [incident()], pastIncidents: [past] }), NOW));
    expect([rss.name, rss.attributes.version]).toEqual(['rss', '2.0']);
    const channel = all(rss, 'channel')[0] as Element;
    for (const name of ['title', 'link', 'description']) expect(text(channel, name)).toBeTruthy();
    const items = all(channel, 'item');
    expect(items.map((item) => text(item, 'pubDate'))).toEqual([
      'Tue, 17 Nov 2026 03:16:20 GMT',
      'Sun, 01 Nov 2026 11:00:00 GMT',
    ]);
    expect(text(items[0] as Element, 'guid')).toBe(incident().id);
    expect(text(items[0] as Element, 'link')).toBe(`https://up.example/status/northwind#incident-${incident().id}`);
  });

  it('escapes names', () => {
    const channel = all(parse(rssFeed(evil, NOW)), 'channel')[0] as Element;
    expect(text(channel, 'title')).toBe(EVIL);
    const item = all(channel, 'item')[0] as Element;
    expect(text(item, 'title')).toBe(EVIL);
    expect(text(item, 'description')).not.toContain('<script>');
  });
});

describe('status badge', () => {
  it.each([
    ['operational', 'operational'],
    ['maintenance', 'maintenance'],
    ['degraded', 'degraded'],
    ['down', 'down'],
    ['unknown', 'unknown'],
  ] as const)('for a page that is %s shows %s', (overall, word) => {
    const svg = parse(badge({ title: 'Northwind', overall }));
    expect(svg.attributes.role).toBe('img');
    expect(text(svg, 'title')).toBe(`Northwind: ${word}`);
    expect(svg.attributes['aria-label']).toBe(`Northwind: ${word}`);
    expect(all(svg.children.at(-1) as Element, 'text').at(-1)?.text).toBe(word);
  });

  it('escapes names', () => {
    const svg = parse(badge(evil));
    expect(text(svg, 'title')).toBe(`${EVIL}: down`);
    expect(JSON.stringify(svg)).not.toContain('"name":"script"');
  });
});
