import { encode } from 'next-auth/jwt';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PageGate } from '@/server/api/page-gate';
import { sessionCookieSecret } from '@/server/trpc/keys';
import { SESSION_COOKIE } from '@/server/trpc/session';

const LIMIT = 600;
const BURST = 120;
const never = new AbortController().signal;

const from = (address: string, cookie?: string) => ({
  headers: { 'x-upwatch-address': address, ...(cookie && { cookie }) },
});

async function sessionOf(userId: string): Promise<string> {
  const token = await encode({ token: { sid: `s-${userId}`, userId, sv: 0 }, secret: sessionCookieSecret() });
  return `${SESSION_COOKIE}=${token}`;
}

/** Requests `count` pages one after the other; returns how many were let in. */
async function granted(gate: PageGate, request: ReturnType<typeof from>, count: number): Promise<number> {
  let sum = 0;
  for (let index = 0; index < count; index += 1) {
    const leave = await gate.enter(request, never).catch(() => null);
    leave?.();
    if (leave) sum += 1;
  }
  return sum;
}

/** Starts `count` requests and returns their outcomes as they become known: "in", or the error's code. */
function start(gate: PageGate, request: ReturnType<typeof from>, count: number, signal = never) {
  const leaves: (() => void)[] = [];
  const outcomes = Array.from({ length: count }, () => 'waiting');
  for (const index of outcomes.keys()) {
    gate.enter(request, signal).then(
      (leave) => {
        outcomes[index] = 'in';
        leaves.push(leave);
      },
      (error) => {
        outcomes[index] = error.code;
      },
    );
  }
  return { leaves, outcomes };
}

const realTimeout = setTimeout;
/** Verifying a cookie and entering take several turns of the event loop, however long they are. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => realTimeout(resolve, 3));
}
const countOf = (outcomes: string[], outcome: string) => outcomes.filter((each) => each === outcome).length;

// On a machine that stalls for a second, slots would be released in the middle of a test.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the limit', () => {
  it('refuses a network after its burst, with the time to wait, and no other network', async () => {
    const gate = new PageGate(LIMIT);
    expect(await granted(gate, from('192.0.2.1'), BURST + 30)).toBeLessThan(BURST + 30);
    await expect(gate.enter(from('192.0.2.1'), never)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      limit: LIMIT,
      retryAfterSeconds: 5,
    });
    expect(await granted(gate, from('192.0.2.2'), BURST)).toBe(BURST);
  });

  it('counts the addresses of an IPv6 /64 together', async () => {
    const gate = new PageGate(5);
    expect(await granted(gate, from('2001:db8::1'), 1)).toBe(1);
    expect(await granted(gate, from('2001:db8::ffff'), 1)).toBe(0);
    expect(await granted(gate, from('2001:db8:0:1::1'), 1)).toBe(1);
  });

  it('counts each signed-in user of a network separately', async () => {
    const gate = new PageGate(5);
    const [robin, kim] = await Promise.all(['robin', 'kim'].map(sessionOf));
    expect(await granted(gate, from('192.0.2.1'), 2)).toBe(1);
    expect(await granted(gate, from('192.0.2.1', robin), 2)).toBe(1);
    expect(await granted(gate, from('192.0.2.1', kim), 2)).toBe(1);
    // A session counts wherever it is used.
    expect(await granted(gate, from('192.0.2.2', robin), 1)).toBe(0);
  });

  it('counts a forged cookie against its network', async () => {
    const gate = new PageGate(5);
    const foreign = await encode({ token: { sid: 's', userId: 'u', sv: 0 }, secret: 'another secret' });
    expect(await granted(gate, from('192.0.2.1'), 1)).toBe(1);
    for (const value of ['x', foreign, `${foreign}x`]) {
      expect(await granted(gate, from('192.0.2.1', `${SESSION_COOKIE}=${value}`), 1)).toBe(0);
    }
  });

  it('can be turned off', async () => {
    expect(await granted(new PageGate(0), from('192.0.2.1'), 1_000)).toBe(1_000);
  });
});

describe('the turns', () => {
  it('renders three pages at once, and the next when one is done', async () => {
    const { leaves, outcomes } = start(new PageGate(0), from('192.0.2.1'), 5);
    await settle();
    expect(outcomes).toEqual(['in', 'in', 'in', 'waiting', 'waiting']);
    leaves[0]?.();
    leaves[0]?.();
    await settle();
    expect(countOf(outcomes, 'in')).toBe(4);
  });

  it('serves another network before the queue of the first', async () => {
    const gate = new PageGate(0);
    const flood = start(gate, from('192.0.2.1'), 100);
    await settle();
    const quiet = start(gate, from('192.0.2.2'), 1);
    flood.leaves[0]?.();
    await settle();
    flood.leaves[1]?.();
    await settle();
    expect(quiet.outcomes).toEqual(['in']);
    expect(countOf(flood.outcomes, 'in')).toBeLessThanOrEqual(4);
  });

  it('refuses the latest requests of the network with the longest queue, not those of others', async () => {
    const gate = new PageGate(0);
    const flood = start(gate, from('192.0.2.1'), 400);
    await settle();
    expect([countOf(flood.outcomes, 'waiting'), countOf(flood.outcomes, 'UNAVAILABLE')]).toEqual([200, 197]);
    const quiet = start(gate, from('192.0.2.2'), 10);
    await settle();
    expect(countOf(quiet.outcomes, 'UNAVAILABLE')).toBe(0);
    expect(countOf(flood.outcomes, 'UNAVAILABLE')).toBe(207);
  });

  it('drops a request from the queue when its client is gone', async () => {
    const gate = new PageGate(0);
    const gone = new AbortController();
    const { leaves, outcomes } = start(gate, from('192.0.2.1'), 3);
    const left = start(gate, from('192.0.2.1'), 10, gone.signal);
    await settle();
    gone.abort();
    await settle();
    expect(countOf(left.outcomes, 'waiting')).toBe(0);
    const next = start(gate, from('192.0.2.1'), 1);
    for (const leave of leaves) leave();
    await settle();
    expect([countOf(outcomes, 'in'), next.outcomes]).toEqual([3, ['in']]);
  });

  it('gives the place of a slow page to the next one', async () => {
    const { outcomes } = start(new PageGate(0), from('192.0.2.1'), 4);
    await settle();
    expect(outcomes).toEqual(['in', 'in', 'in', 'waiting']);
    await vi.advanceTimersByTimeAsync(1000);
    expect(outcomes).toEqual(['in', 'in', 'in', 'in']);
  });
});
