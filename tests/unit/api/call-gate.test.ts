import { describe, expect, it, vi } from 'vitest';
import { CallGate } from '@/server/api/call-gate';
import { SESSION_COOKIE } from '@/server/trpc/session';

const never = new AbortController().signal;
const key = (secret: string) => ({ authorization: `Bearer uw_${secret}` });

function callFrom(address: string, headers: Record<string, string> = {}, url = '/api/v1/monitors', method = 'GET') {
  return { method, url, headers: { 'x-upwatch-address': address, ...headers } };
}

type Call = ReturnType<typeof callFrom>;

/** Starts `count` calls and returns which of them were let in, as it becomes known. */
function start(gate: CallGate, call: Call, count: number) {
  const leaves: (() => void)[] = [];
  const codes: string[] = [];
  for (let index = 0; index < count; index += 1) {
    gate.enter(call, never).then(
      (leave) => leaves.push(leave),
      (error) => codes.push(error.code),
    );
  }
  return { leaves, codes };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 20));
const isAllowed = (gate: CallGate, call: Call) =>
  gate.enter(call, never).then(
    (leave) => {
      leave();
      return true;
    },
    () => false,
  );

describe('the turns', () => {
  it('serves another network before the queue of the first', async () => {
    const gate = new CallGate();
    const flood = start(gate, callFrom('192.0.2.1'), 100);
    const quiet = start(gate, callFrom('192.0.2.2'), 1);
    await settle();
    expect(flood.leaves.length).toBeLessThanOrEqual(6);
    flood.leaves[0]?.();
    flood.leaves[1]?.();
    await settle();
    expect(quiet.leaves.length).toBe(1);
  });

  it('shares places by team for credentials that were valid, wherever they come from', async () => {
    const gate = new CallGate();
    const calls = ['a', 'b', 'c'].map((secret, index) => callFrom(`192.0.2.${index}`, key(secret)));
    const [first, second, other] = calls as [Call, Call, Call];
    for (const [index, call] of calls.entries()) {
      gate.note(call, { caller: { team: index < 2 ? 'noisy' : 'quiet', id: `key-${index}`, isKey: true } });
    }
    const floods = [start(gate, first, 50), start(gate, second, 50)];
    const quiet = start(gate, other, 2);
    await settle();
    for (const { leaves } of floods) for (const leave of leaves.splice(0)) leave();
    await settle();
    expect(quiet.leaves.length).toBe(2);
    expect(floods.flatMap(({ leaves }) => leaves).length).toBe(2);
  });

  it('holds 200 unfinished calls, of one network at most half while others call', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const gate = new CallGate();
      const turn = () => new Promise((resolve) => setImmediate(resolve));
      const quiet = start(gate, callFrom('192.0.2.2'), 1);
      const flood = start(gate, callFrom('192.0.2.1'), 300);
      for (let second = 0; second < 200; second += 1) {
        for (let round = 0; round < 10; round += 1) await turn();
        vi.advanceTimersByTime(1_000);
      }
      expect(quiet.leaves).toHaveLength(1);
      expect(flood.leaves).toHaveLength(100);
      for (const leave of flood.leaves.splice(0, 10)) leave();
      for (let round = 0; round < 50; round += 1) await turn();
      vi.advanceTimersByTime(1_000);
      for (let round = 0; round < 50; round += 1) await turn();
      expect(flood.leaves.length).toBeGreaterThan(90);
      expect(flood.leaves.length).toBeLessThanOrEqual(100);
    } finally {
      vi.useRealTimers();
    }
  });

  it('shares by network again once a credential is refused, because it was revoked', async () => {
    const gate = new CallGate();
    const revoked = callFrom('192.0.2.1', key('revoked'));
    gate.note(revoked, { caller: { team: 'team', id: 'key', isKey: true } });
    gate.note(revoked, { isRefused: true });
    gate.note(callFrom('192.0.2.2', key('valid')), { caller: { team: 'team', id: 'other', isKey: true } });
    const flood = start(gate, revoked, 50);
    await settle();
    const own = start(gate, callFrom('192.0.2.2', key('valid')), 1);
    flood.leaves[0]?.();
    await settle();
    expect(own.leaves.length).toBe(1);
  });

  it('lets the process do other things while a queue of calls that need no input or output is served', async () => {
    const gate = new CallGate();
    let served = 0;
    const flood = Array.from({ length: 200 }, async () => {
      const leave = await gate.enter(callFrom('192.0.2.1'), never);
      served += 1;
      leave();
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(served).toBeLessThan(20);
    await Promise.all(flood);
    expect(served).toBe(200);
  });

  it('knows a caller by the header that the address reads, not by the other one', async () => {
    const gate = new CallGate();
    const cookie = `${SESSION_COOKIE}=session`;
    const ofUser = (address: string, secret: string) =>
      callFrom(address, { cookie, ...key(secret) }, '/api/trpc/auth.me');
    gate.note(ofUser('192.0.2.1', 'forged'), { caller: { team: 'noisy', id: 'user', isKey: false } });
    const flood = start(gate, ofUser('192.0.2.1', 'other'), 50);
    await settle();
    const same = start(gate, ofUser('192.0.2.9', 'another'), 1);
    const stranger = start(gate, callFrom('192.0.2.2', key('forged')), 1);
    flood.leaves[0]?.();
    flood.leaves[1]?.();
    await settle();
    expect([same.leaves.length, stranger.leaves.length]).toEqual([0, 1]);
  });

  it('refuses the latest calls of the longest queue', async () => {
    const gate = new CallGate();
    const flood = start(gate, callFrom('192.0.2.1'), 2_100);
    const quiet = start(gate, callFrom('192.0.2.2'), 10);
    await settle();
    expect(flood.codes.length).toBeGreaterThan(90);
    expect(new Set(flood.codes)).toEqual(new Set(['UNAVAILABLE']));
    expect(quiet.codes).toEqual([]);
  });
});

describe('an exceeded rate limit', () => {
  const exceeded = { limit: 600, seconds: 30 };

  it('refuses the calls of its network without a credential until it ends', async () => {
    const gate = new CallGate();
    const call = callFrom('192.0.2.1');
    gate.note(call, { exceeded });
    await expect(gate.enter(call, never)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      limit: 600,
      retryAfterSeconds: 30,
    });
    expect(await isAllowed(gate, callFrom('192.0.2.2'))).toBe(true);
    expect(await isAllowed(gate, callFrom('192.0.2.1', key('any')))).toBe(true);
    for (const path of ['/api/heartbeat/token', '/api/auth/csrf', '/api/callbacks/slack/id', '/api/v1/openapi.json']) {
      expect([path, await isAllowed(gate, callFrom('192.0.2.1', {}, path))]).toEqual([path, true]);
    }
    expect(await isAllowed(gate, callFrom('192.0.2.1', {}, '/api/v1/monitors', 'OPTIONS'))).toBe(true);
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now + 31_000);
    expect(await isAllowed(gate, call)).toBe(true);
    vi.restoreAllMocks();
  });

  it('refuses the calls of assistants with its API key', async () => {
    const gate = new CallGate();
    gate.note(callFrom('192.0.2.1', key('a')), { caller: { team: 'team', id: 'key-1', isKey: true }, exceeded });
    expect(await isAllowed(gate, callFrom('192.0.2.1', key('a'), '/api/mcp?changes=true', 'POST'))).toBe(false);
  });

  it('refuses the calls of its API key, but none of a user, whose reads and changes have limits of their own', async () => {
    const gate = new CallGate();
    const call = callFrom('192.0.2.1', key('a'));
    gate.note(call, { caller: { team: 'team', id: 'key-1', isKey: true }, exceeded });
    expect(await isAllowed(gate, call)).toBe(false);
    expect(await isAllowed(gate, callFrom('192.0.2.1', key('b')))).toBe(true);
    const ofUser = callFrom('192.0.2.1', { authorization: 'Bearer token' });
    gate.note(ofUser, { caller: { team: 'team', id: 'user', isKey: false }, exceeded });
    expect(await isAllowed(gate, ofUser)).toBe(true);
  });
});
