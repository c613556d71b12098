import { afterEach, expect, it, vi } from 'vitest';
import { Documents } from '@/server/api/status-server/documents';
import type { StatusRenderer } from '@/server/api/status-server/renderer';
import type { Snapshot } from '@/server/status-pages/snapshots/shared-snapshots';
import { incident, page } from '@/tests/unit/status-pages/pages';

const renderer = { page: vi.fn(async () => '<p>Page</p>') };
const documents = new Documents(renderer as unknown as StatusRenderer);
const DAY_MS = 86_400_000;

const window = {
  id: 'a'.repeat(32),
  title: 'Work',
  startsAt: '2026-11-18T03:00:00.000Z',
  endsAt: '2026-11-18T04:00:00.000Z',
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
  sequence: 0,
  componentIds: [],
};

afterEach(() => vi.useRealTimers());

const at = (time: string) => vi.useFakeTimers({ now: new Date(time), toFake: ['Date'] });

it('renders timed documents again at the starts and ends of windows only', async () => {
  const snapshot: Snapshot = {
    page: page({ openIncidents: [incident()], maintenances: [window] }),
    teamId: 'team',
    logoKey: null,
    readAt: 0,
  };
  const read = (path: string) => documents.get(path, snapshot, 0);
  for (const path of ['feed.atom', 'feed.rss', 'api/v2/summary.json', 'api/v2/scheduled-maintenances.json']) {
    at('2026-11-18T01:00:00Z');
    const first = await read(path);
    at('2026-11-18T02:59:59Z');
    expect(await read(path), path).toBe(first);
    at('2026-11-18T03:00:00Z');
    const started = await read(path);
    expect(started, path).not.toBe(first);
    vi.setSystemTime(Date.now() + DAY_MS);
    expect(await read(path), path).not.toBe(started);
  }
});

it('renders the page again after a check, and nothing that does not show it', async () => {
  const snapshot: Snapshot = { page: page(), teamId: 'team', logoKey: null, readAt: 0 };
  const [html, json] = [await documents.get('', snapshot, 0), await documents.get('api/v2/summary.json', snapshot, 0)];
  snapshot.page.checkedAt = '2026-11-17T03:22:40.000Z';
  expect(await documents.get('', snapshot, 0)).not.toBe(html);
  expect(await documents.get('api/v2/summary.json', snapshot, 0)).toBe(json);
});
