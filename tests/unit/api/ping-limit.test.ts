import { describe, expect, it } from 'vitest';
import { PingLimit } from '@/server/api/ping-limit';

const LIMITS = { heartbeat: 6, team: 20, first: 2 };

/** A limit that knows this many heartbeats of each team, in a minute without pings. */
function knowing(teams: Record<string, number>) {
  const limit = new PingLimit(LIMITS);
  for (const [team, count] of Object.entries(teams)) {
    for (let index = 0; index < count; index += 1) limit.note(`${team} ${index}`, team);
  }
  const at = performance.now() + 60_000;
  /** Whether this many pings of a token pass, a second after the minute began. */
  const send = (token: string, count: number, now = at + 1_000) => {
    const passed: boolean[] = [];
    for (let index = 0; index < count; index += 1) {
      try {
        limit.take(token, now);
        passed.push(true);
      } catch {
        passed.push(false);
      }
    }
    return passed.filter(Boolean).length;
  };
  limit.take('any', at);
  return { limit, send, at };
}

describe('PingLimit', () => {
  it('limits the pings of a heartbeat per minute, also of pings at the same time', () => {
    const { limit, send, at } = knowing({ one: 2 });
    expect(send('one 0', 10)).toBe(LIMITS.heartbeat);
    expect(() => limit.take('one 0', at + 20_000)).toThrow(
      expect.objectContaining({ code: 'RATE_LIMITED', limit: LIMITS.heartbeat, retryAfterSeconds: 40 }),
    );
    expect(send('one 1', 1)).toBe(1);
    expect(send('one 0', 1, at + 60_000)).toBe(1);
  });

  it('limits the pings of a team per minute, however many heartbeats send them, and of no other team', () => {
    const { limit, send, at } = knowing({ one: 100, other: 1 });
    let passed = 0;
    for (let index = 0; index < 100; index += 1) passed += send(`one ${index}`, 6);
    expect(passed).toBe(LIMITS.team);
    expect(() => limit.take('one 99', at + 59_500)).toThrow(
      expect.objectContaining({ code: 'RATE_LIMITED', limit: LIMITS.team, retryAfterSeconds: 1 }),
    );
    expect(send('other 0', 6)).toBe(6);
    expect(send('one 99', 1, at + 60_000)).toBe(1);
  });

  it('leaves half of the limit of a team to the first two pings of each heartbeat', () => {
    const { send } = knowing({ one: 20 });
    const runaway = send('one 0', 6) + send('one 1', 6);
    expect(runaway).toBe(LIMITS.team / 2);
    for (let index = 2; index < 7; index += 1) expect(send(`one ${index}`, 4)).toBe(LIMITS.first);
    expect(send('one 7', 1)).toBe(0);
  });

  it('counts tokens only once they are known to belong to a heartbeat, and keeps a limited number', () => {
    const limit = new PingLimit(LIMITS);
    for (let index = 0; index < 1_000; index += 1) limit.take('guess');
    expect(limit.size).toBe(0);
    for (let index = 0; index < 60_000; index += 1) limit.note(`token ${index}`, 'one');
    expect(limit.size).toBe(10_000);
    expect(limit.teamOf('token 59999')).toBe('one');
    expect(limit.teamOf('token 0')).toBeUndefined();
  });
});
