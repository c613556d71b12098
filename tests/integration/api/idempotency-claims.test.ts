import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { runOnce } from '@/server/api/rest/idempotency';
import { afterCommit, commitBefore, unheld } from '@/server/platform/database/held-transaction';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';

const person = { actor: { kind: 'anonymous' as const }, address: '192.0.2.1', operation: 'test', input: {} };

/** A change that inserts a row. */
const write = (type: string) =>
  db.$transaction((tx) => tx.stripeEvent.create({ data: { id: newId(), type } }).then(() => undefined));
const countOf = (type: string) => db.stripeEvent.count({ where: { type } });
const done = { status: 200, text: '{"ok":true}' };
const endLeases = () => db.$executeRaw`update idempotent_requests set locked_until = now() - interval '1 second'`;

describe('transaction of a request with an idempotency key', () => {
  it('makes changes visible to the request before they are committed', async () => {
    const seen: number[] = [];
    await runOnce('visible', person, async () => {
      expect(await countOf('visible')).toBe(0);
      await write('visible');
      seen.push(await countOf('visible'), await unheld(() => countOf('visible')));
      return done;
    });
    expect(seen).toEqual([1, 0]);
    expect(await countOf('visible')).toBe(1);
  });

  it('rolls back a request that failed with 500, and frees the key', async () => {
    const failing = async () => {
      await write('failing');
      return { status: 500, text: '{}' };
    };
    expect((await runOnce('failing', person, failing)).outcome.status).toBe(500);
    expect(await countOf('failing')).toBe(0);
    expect(await db.idempotentRequest.count({ where: { operation: 'test', status: null } })).toBe(0);
  });

  it('keeps the committed changes of one transaction if a later one of the same request fails', async () => {
    await runOnce('savepoints', person, async () => {
      await write('first');
      const failing = db.$transaction(async (tx) => {
        await tx.stripeEvent.create({ data: { id: newId(), type: 'second' } });
        throw new Error('refused');
      });
      await expect(failing).rejects.toThrow('refused');
      await write('third');
      return done;
    });
    expect(await Promise.all(['first', 'second', 'third'].map(countOf))).toEqual([1, 0, 1]);
  });

  it('runs deferred work after the commit, and never if the request fails', async () => {
    const counts: number[] = [];
    const run = (status: number) => async () => {
      await write('deferred');
      await afterCommit(async () => void counts.push(await countOf('deferred')));
      expect(counts).toEqual([]);
      return { status, text: '{}' };
    };
    await runOnce('deferred-500', person, run(500));
    await runOnce('deferred-200', person, run(200));
    expect(counts).toEqual([1]);
  });

  it('keeps the interim response of an early commit if the request is cut off afterwards', async () => {
    const cutOff = runOnce('interim', person, async () => {
      await write('interim');
      await commitBefore({ message: 'under way' });
      throw new Error('cut off');
    });
    await expect(cutOff).rejects.toThrow('cut off');
    const again = await runOnce('interim', person, async () => done);
    expect(again).toEqual({ outcome: { status: 200, text: '{"message":"under way"}' }, replayed: true });
    expect(await countOf('interim')).toBe(1);
  });
});

describe('expired lease of an idempotency key', () => {
  it('lets a repetition run, and the request that lost it change nothing', async () => {
    let goOn = () => {};
    const slow = runOnce('taken-over', person, async () => {
      await write('taken-over');
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      return done;
    });
    await expect.poll(() => db.idempotentRequest.count({ where: { status: null } })).toBe(1);
    await endLeases();
    const second = runOnce('taken-over', person, async () => {
      await write('taken-over');
      return done;
    });
    expect((await second).replayed).toBe(false);
    goOn();
    await expect(slow).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
    expect(await countOf('taken-over')).toBe(1);
  });

  it('is noticed by a waiting repetition', async () => {
    let stop = () => {};
    const stalled = runOnce(
      'stalled',
      person,
      () => new Promise((_resolve, reject) => (stop = () => reject(new Error('stopped')))),
    );
    stalled.catch(() => undefined);
    await expect.poll(() => db.idempotentRequest.count({ where: { status: null } })).toBe(1);
    const waiting = runOnce('stalled', person, async () => done);
    await endLeases();
    expect((await waiting).replayed).toBe(false);
    stop();
    await expect(stalled).rejects.toThrow('stopped');
    // The stalled request removed its own claim, not the other request's answer.
    expect((await runOnce('stalled', person, async () => done)).replayed).toBe(true);
  });

  it('is renewed while the request runs', async () => {
    let end = () => {};
    const running = runOnce('long', person, () => new Promise((resolve) => (end = () => resolve(done))));
    const read = () => db.idempotentRequest.findFirst({ where: { status: null }, select: { lockedUntil: true } });
    await expect.poll(read).not.toBeNull();
    const before = (await read())?.lockedUntil.getTime() ?? 0;
    await expect.poll(async () => (await read())?.lockedUntil.getTime(), { timeout: 5_000 }).toBeGreaterThan(before);
    end();
    await running;
  });
});

describe('waiting repetition', () => {
  it('queries the database at growing intervals', async () => {
    let end = () => {};
    const running = runOnce('waited-for', person, () => new Promise((resolve) => (end = () => resolve(done))));
    await expect.poll(() => db.idempotentRequest.count({ where: { status: null } })).toBe(1);
    const queries = vi.spyOn(pg.Client.prototype, 'query');
    const waiting = runOnce('waited-for', person, async () => done);
    await sleep(1_500);
    const asked = queries.mock.calls.map(([query]) => JSON.stringify(query));
    queries.mockRestore();
    end();
    await running;
    expect((await waiting).replayed).toBe(true);
    const looks = asked.filter((query) => query?.includes('as \\"bodyHash')).length;
    expect(looks).toBeGreaterThan(2);
    expect(looks).toBeLessThan(10);
  });
});

describe('two requests with the same key', () => {
  it('apply the change once, in either order', async () => {
    for (let round = 0; round < 10; round += 1) {
      const type = `pair-${round}`;
      const run = async () => {
        await write(type);
        return { status: 201, text: JSON.stringify({ id: newId() }) };
      };
      const answers = await Promise.all([runOnce(type, person, run), runOnce(type, person, run)]);
      expect(answers.map(({ replayed }) => replayed).sort()).toEqual([false, true]);
      expect(answers[0]?.outcome).toEqual(answers[1]?.outcome);
      expect(await countOf(type)).toBe(1);
    }
  });
});
