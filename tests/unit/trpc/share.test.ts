import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import type { Actor } from '@/server/trpc/actor';
import { type CallKind, runInShareOf } from '@/server/trpc/share';

const memberOf = (team: string) => ({ kind: 'key', keyId: `key-${team}`, team: { id: team } }) as unknown as Actor;

/** Starts procedures of teams that end together. @returns how many of each team run at the same time */
async function concurrencyOf(teams: string[], kind: CallKind) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const running: Record<string, number> = {};
  const most: Record<string, number> = {};
  const add = (team: string, count: number) => {
    const now = (running[team] ?? 0) + count;
    running[team] = now;
    most[team] = Math.max(most[team] ?? 0, now);
  };
  const all = teams.map((team) =>
    runInShareOf({ actor: memberOf(team), address: '192.0.2.1', kind }, async () => {
      add(team, 1);
      await ended;
      add(team, -1);
    }),
  );
  await nextTurn();
  const atFirst = { ...running };
  end();
  await Promise.all(all);
  return { atFirst, most };
}

it('runs three queries of a team at once, whatever others do, and all of them in the end', async () => {
  const teams = [...Array(20).fill('busy'), 'quiet'];
  expect(await concurrencyOf(teams, 'query')).toEqual({
    atFirst: { busy: 3, quiet: 1 },
    most: { busy: 3, quiet: 1 },
  });
});

it('refuses a query that waits for more than ten seconds, and runs later ones', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const gone = new AbortController();
    setTimeout(() => gone.abort(), ms);
    return gone.signal;
  });
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const call = { actor: memberOf('slow'), address: '192.0.2.1', kind: 'query' as const };
  const running = Array.from({ length: 3 }, () => runInShareOf(call, () => ended));
  const waiting = runInShareOf(call, () => ended);
  const refused = expect(waiting).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 });
  await vi.advanceTimersByTimeAsync(10_000);
  await refused;
  end();
  await Promise.all(running);
  await expect(runInShareOf(call, async () => 'done')).resolves.toBe('done');
  timeout.mockRestore();
  vi.useRealTimers();
});

it.each<CallKind>(['mutation', 'subscription'])(
  'does not delay a %s, which may wait for a target or never end',
  async (kind) => {
    expect((await concurrencyOf(Array(20).fill('busy'), kind)).atFirst).toEqual({ busy: 20 });
  },
);
