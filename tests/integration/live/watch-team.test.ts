import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { findReaders } from '@/server/live/queries';
import { watchTeam } from '@/server/live/watch-team';
import { db } from '@/server/platform/db';
import { extraDatabase } from '@/tests/support/database';
import { signUp } from '@/tests/support/rest';

it('renews the lease of a team while it is watched', async () => {
  const { teamId } = await signUp();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const lease = async () => (await db.liveWatcher.findUniqueOrThrow({ where: { teamId } })).until.getTime();
  const stops = [await watchTeam(teamId, () => {}), await watchTeam(teamId, () => {})];
  const first = await lease();
  expect(first).toBeGreaterThan(Date.now() + 30_000);
  stops[0]?.();
  await vi.advanceTimersByTimeAsync(20_000);
  await vi.waitFor(async () => expect(await lease()).toBeGreaterThan(first));
  stops[1]?.();
  const last = await lease();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(await lease()).toBe(last);
});

it('reports missed events if a lease ended before it was renewed', async () => {
  const { teamId } = await signUp();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const missed = vi.fn();
  const stop = await watchTeam(teamId, missed);
  expect(missed).not.toHaveBeenCalled();
  const frozen = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(frozen + 70_000);
  await vi.advanceTimersByTimeAsync(20_000);
  await vi.waitFor(() => expect(missed).toHaveBeenCalled());
  stop();
});

it('skips a team that was deleted', async () => {
  const [gone, here] = [await signUp(), await signUp()];
  await db.team.delete({ where: { id: gone.teamId } });
  const stops = [await watchTeam(gone.teamId, () => {}), await watchTeam(here.teamId, () => {})];
  expect(await db.liveWatcher.count({ where: { teamId: { in: [gone.teamId, here.teamId] } } })).toBe(1);
  for (const stop of stops) stop();
});

it('waits for no transaction of another database, whose tables have the same numbers', async () => {
  const { url, drop } = await extraDatabase();
  const client = new pg.Client({ connectionString: url });
  onTestFinished(async () => {
    await client.end();
    await drop();
  });
  await client.connect();
  await client.query('begin; select * from live_watchers');
  expect(await findReaders()).toEqual([]);
});
