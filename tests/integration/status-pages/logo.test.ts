import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { startJobs } from '@/server/platform/jobs';
import { storage } from '@/server/platform/storage';
import { deletePageObjects, deleteUnusedLogo } from '@/server/status-pages/objects';
import { makePng } from '@/tests/support/png';
import { until } from '@/tests/support/receivers';
import { type Person, signUp } from '@/tests/support/rest';
import { runJob } from '@/tests/support/run-job';
import { startStatusServer } from '@/tests/support/servers/status-server';
import { makePage, PNG, pages } from './support';

let person: Person;
let server: Awaited<ReturnType<typeof startStatusServer>>;

beforeAll(async () => {
  server = await startStatusServer();
  person = await signUp();
});
afterAll(() => server.close());

const upload = (id: string, bytes: Uint8Array = PNG) =>
  pages(person, 'PUT', `/${id}/logo`, { data: Buffer.from(bytes).toString('base64') });

async function keyOf(id: string): Promise<string> {
  const { logoKey } = await db.statusPage.findUniqueOrThrow({ where: { id } });
  if (!logoKey) throw new Error('This page has no logo.');
  return logoKey;
}

/** Requests a logo by its URL, as a browser does. */
function fetchLogo(logoUrl: string, headers: Record<string, string> = {}): Promise<Response> {
  const { pathname, search } = new URL(logoUrl);
  return fetch(server.url + pathname + search, { headers });
}

async function runJobs(isDone: () => Promise<boolean>): Promise<void> {
  // Makes jobs due that are scheduled within an hour.
  await db.$executeRaw`update graphile_worker._private_jobs set run_at = now()`;
  const running = await startJobs({ jobs: [deleteUnusedLogo, deletePageObjects], concurrency: 2 });
  await until(isDone).finally(() => running.stop());
}

describe('status page logo', () => {
  it('is served at its own immutable URL', async () => {
    const page = await makePage(person);
    const { status, body } = await upload(page.id);
    expect(status).toBe(200);
    const { logoUrl } = body.statusPage;
    expect(logoUrl).toMatch(new RegExp(`/status/${page.slug}/logo\\?v=[0-9A-Z]{26}$`));
    const answer = await fetchLogo(logoUrl);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(Buffer.from(await answer.arrayBuffer()).equals(PNG)).toBe(true);
    const again = await fetchLogo(logoUrl, { 'if-none-match': answer.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
    const unpinned = await fetchLogo(logoUrl.split('?')[0] ?? '');
    expect(unpinned.headers.get('cache-control')).toBe('no-cache');
  });

  it('is removed if the page becomes private', async () => {
    const page = await makePage(person);
    const { logoUrl } = (await upload(page.id)).body.statusPage;
    await pages(person, 'PUT', `/${page.id}`, { isPublic: false });
    expect((await fetchLogo(logoUrl)).status).toBe(404);
  });

  it.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['text', Buffer.from('hello')],
    ['nothing', Buffer.alloc(0)],
    ['the first bytes of an image', PNG.subarray(0, 16)],
    ['a small file that decompresses to a huge image', makePng(40_000, 8)],
    ['a PNG over 512 KiB', Buffer.concat([PNG, Buffer.alloc(512 * 1024)])],
  ])('is rejected: %s', async (_name, bytes) => {
    const page = await makePage(person);
    const { status, body } = await upload(page.id, bytes);
    expect([status, body.error.code, body.error.issues[0].path]).toEqual([400, 'VALIDATION_ERROR', 'data']);
    expect((await pages(person, 'GET', `/${page.id}`)).body.statusPage.logoUrl).toBeNull();
  });

  it('is accepted up to 4096 pixels, and rejected above with its size', async () => {
    const page = await makePage(person);
    expect((await upload(page.id, makePng(4096, 4096))).status).toBe(200);
    const { body } = await upload(page.id, makePng(16, 4097));
    expect(body.error.issues).toEqual([
      { path: 'data', message: 'Use an image of at most 4096 × 4096 pixels; this one has 16 × 4097.' },
    ]);
  });

  it('is accepted up to 512 KiB', async () => {
    const page = await makePage(person);
    const largest = Buffer.concat([PNG, Buffer.alloc(512 * 1024 - PNG.length)]);
    expect((await upload(page.id, largest)).status).toBe(200);
  });

  it('is replaced by the next one, and its object is deleted by a job', async () => {
    const page = await makePage(person);
    const before = (await upload(page.id)).body.statusPage;
    const oldKey = await keyOf(page.id);
    const after = (await upload(page.id)).body.statusPage;
    expect(after.logoUrl).not.toBe(before.logoUrl);
    await runJobs(async () => (await storage.get(oldKey)) === null);
    expect(await storage.get(await keyOf(page.id))).not.toBeNull();
    expect((await fetchLogo(after.logoUrl)).status).toBe(200);
  });

  it('can be removed repeatedly', async () => {
    const page = await makePage(person);
    await upload(page.id);
    const key = await keyOf(page.id);
    for (const _time of [1, 2]) {
      const { status, body } = await pages(person, 'DELETE', `/${page.id}/logo`);
      expect([status, body.statusPage.logoUrl]).toEqual([200, null]);
    }
    await runJobs(async () => (await storage.get(key)) === null);
    expect(await db.auditEntry.count({ where: { targetId: page.id, action: 'status_page.remove_logo' } })).toBe(1);
  });

  it('is deleted with its page', async () => {
    const page = await makePage(person);
    await upload(page.id);
    const key = await keyOf(page.id);
    await pages(person, 'DELETE', `/${page.id}`);
    await runJobs(async () => (await storage.get(key)) === null);
  });

  it('leaves no object behind if the upload was cut off', async () => {
    const page = await makePage(person);
    const [first, second] = await Promise.all([upload(page.id), upload(page.id)]);
    expect([first?.status, second?.status]).toEqual([200, 200]);
    const kept = await keyOf(page.id);
    const orphan = `status-pages/${page.id}/orphan.png`;
    await storage.put(orphan, PNG, { contentType: 'image/png' });
    await runJob(deleteUnusedLogo, { logoKey: orphan });
    await runJob(deleteUnusedLogo, { logoKey: kept });
    expect([await storage.get(orphan), (await storage.get(kept)) !== null]).toEqual([null, true]);
  });
});
