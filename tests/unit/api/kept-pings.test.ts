import { appendFile, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { KeptPings } from '@/server/api/kept-pings';
import type { Ping } from '@/server/checks/record/store-ping';

const LIMITS = { bytes: 2_000, pings: 5 };

async function newFolder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'upwatch-pings-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  return join(parent, 'pings');
}

const pingOf = (tokenHash: string, text?: string): Ping => ({
  tokenHash,
  event: { kind: 'success' },
  body: text === undefined ? null : { signal: 'success', text },
});

/** Collects recorded pings. Rejects those of `failing`, as if the database were unavailable. */
function recorder(failing = new Set<string>()) {
  const recorded: { tokenHash: string; text: string | undefined; cameAt: Date }[] = [];
  const record = async ({ tokenHash, body }: Ping, cameAt: Date) => {
    if (failing.has(body?.text ?? tokenHash)) throw new Error('The database is away');
    recorded.push({ tokenHash, text: body?.text, cameAt });
  };
  // The database's clock is ten seconds ahead.
  const now = async () => new Date(Date.now() + 10_000);
  return { database: { record, now }, texts: () => recorded.map(({ text }) => text), recorded };
}

/** Lets the files of a folder seem left by a process that died. */
async function age(folder: string): Promise<void> {
  const then = new Date(Date.now() - 60_000);
  for (const name of await readdir(folder)) await utimes(join(folder, name), then, then);
}

it('records pings once, with the time when they came, those of a heartbeat in order', async () => {
  const folder = await newFolder();
  const kept = new KeptPings(folder);
  const { database, recorded } = recorder();
  for (const [index, text] of ['a', 'b', 'c'].entries()) {
    expect(await kept.keep(pingOf('one', text), 'team', Date.now() - 10_000 + index)).toBe(true);
  }
  await Promise.all(Array.from({ length: 20 }, (_, index) => kept.keep(pingOf(`other ${index}`), undefined)));
  expect(await kept.replay(database)).toBe(23);
  expect(recorded.filter(({ tokenHash }) => tokenHash === 'one').map(({ text }) => text)).toEqual(['a', 'b', 'c']);
  expect(Math.abs(Date.now() - (recorded[0]?.cameAt.getTime() ?? 0))).toBeLessThan(2_000);
  expect(await kept.replay(database)).toBe(0);
  expect(await readdir(folder)).toEqual([]);
});

it('reads a file while it records pings, because a file can have hundreds of thousands', async () => {
  const kept = new KeptPings(await newFolder());
  await Promise.all(Array.from({ length: 200 }, (_, index) => kept.keep(pingOf(`${index}`), undefined)));
  const parse = vi.spyOn(JSON, 'parse');
  const read: number[] = [];
  const record = async () => void read.push(parse.mock.calls.length);
  expect(await kept.replay({ record, now: async () => new Date() })).toBe(200);
  expect(read[0]).toBeLessThan(10);
  expect(read.at(-1)).toBe(200);
});

it('continues where the database went away again', async () => {
  const kept = new KeptPings(await newFolder());
  const failing = new Set(['c']);
  const { database, texts } = recorder(failing);
  for (const text of ['a', 'b', 'c', 'd']) await kept.keep(pingOf('one', text), 'team');
  await expect(kept.replay(database)).rejects.toThrow('away');
  await kept.keep(pingOf('one', 'e'), 'team');
  failing.clear();
  await kept.replay(database);
  expect(texts()).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it('records what a process left that died, but not the file of one that runs', async () => {
  const folder = await newFolder();
  const died = new KeptPings(folder);
  await died.keep(pingOf('one', 'a'), 'team');
  await died.keep(pingOf('one', 'b'), 'team');
  const other = recorder(new Set(['b']));
  await expect(died.replay(other.database)).rejects.toThrow('away');
  const next = new KeptPings(folder);
  const { database, texts } = recorder();
  expect(await next.replay(database)).toBe(0);
  await age(folder);
  expect(await next.replay(database)).toBe(1);
  expect(texts()).toEqual(['b']);
});

it('lets one of two processes record a file', async () => {
  const folder = await newFolder();
  await new KeptPings(folder).keep(pingOf('one', 'a'), 'team');
  await age(folder);
  const { database, texts } = recorder();
  await Promise.all([new KeptPings(folder), new KeptPings(folder)].map((each) => each.replay(database)));
  expect(texts()).toEqual(['a']);
});

it('skips a line that was cut off', async () => {
  const folder = await newFolder();
  const kept = new KeptPings(folder);
  const { database, texts } = recorder();
  await kept.keep(pingOf('one', 'a'), 'team');
  const [name = ''] = await readdir(folder);
  await appendFile(join(folder, name), '{"at":17,"tokenHa');
  await kept.replay(database);
  expect(texts()).toEqual(['a']);
});

it('drops pings that are older than an hour', async () => {
  const kept = new KeptPings(await newFolder());
  const { database, texts } = recorder();
  await kept.keep(pingOf('one', 'old'), 'team', Date.now() - 3_700_000);
  await kept.keep(pingOf('one', 'new'), 'team', Date.now() - 3_500_000);
  await kept.replay(database);
  expect(texts()).toEqual(['new']);
});

it('keeps a limited number of pings of a heartbeat', async () => {
  const kept = new KeptPings(await newFolder(), LIMITS);
  const isKept = await Promise.all(Array.from({ length: 6 }, () => kept.keep(pingOf('one'), 'team')));
  // Which one is refused depends on the order in which they measured the folder.
  expect(isKept.toSorted()).toEqual([false, true, true, true, true, true]);
});

it('keeps a limited number of bytes, which neither one team nor guesses of tokens can use up', async () => {
  const folder = await newFolder();
  const kept = new KeptPings(folder, LIMITS);
  const countKept = async (team: string | undefined) => {
    const pings = Array.from({ length: 50 }, (_, index) => kept.keep(pingOf(`${team} ${index}`), team));
    return (await Promise.all(pings)).filter(Boolean).length;
  };
  const guesses = await countKept(undefined);
  const counts = [guesses, await countKept('noisy'), await countKept('late'), await countKept('last')];
  for (const count of counts) expect(count).toBeGreaterThan(0);
  // Each team takes at most half of the space that others have left.
  expect(guesses).toBeLessThanOrEqual(LIMITS.bytes / 2 / 70);
  expect(counts).toEqual(counts.toSorted((a, b) => b - a));
  const [name = ''] = await readdir(folder);
  expect((await stat(join(folder, name))).size).toBeLessThanOrEqual(LIMITS.bytes);
  // A process that starts while the database is unavailable counts the pings that others keep.
  expect(await new KeptPings(folder, LIMITS).keep(pingOf('another', 'x'.repeat(200)), 'another')).toBe(false);
});
