import { describe, expect, it } from 'vitest';
import { writeApart } from '@/server/platform/write-apart';

const refusal = new RangeError('Invalid time value');
const items = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('writeApart', () => {
  it('writes everything at once if nothing is rejected', async () => {
    const batches: number[][] = [];
    const result = await writeApart(items(500), async (batch) => void batches.push(batch));
    expect(batches).toEqual([items(500)]);
    expect(result).toEqual({ rejected: [], unwritten: [], error: null });
  });

  it('writes all others if 20 of 500 are rejected, with no more statements than needed', async () => {
    const bad = new Set(items(20).map((index) => index * 24 + 3));
    const written: number[] = [];
    let asked = 0;
    const result = await writeApart(items(500), async (batch) => {
      asked += 1;
      if (batch.some((item) => bad.has(item))) throw refusal;
      written.push(...batch);
    });
    expect(written.toSorted((a, b) => a - b)).toEqual(items(500).filter((item) => !bad.has(item)));
    expect(result.rejected.map(({ item }) => item).toSorted((a, b) => a - b)).toEqual([...bad]);
    expect(result.unwritten).toEqual([]);
    expect(asked).toBeLessThan(260);
  });

  it('leaves the rest unwritten if the database goes away, and writes nothing twice', async () => {
    const away = new Error('Connection terminated');
    const written: number[] = [];
    let asked = 0;
    const result = await writeApart(items(100), async (batch) => {
      asked += 1;
      if (asked > 6) throw away;
      if (batch.includes(3)) throw refusal;
      written.push(...batch);
    });
    expect(result.error).toBe(away);
    const all = [...written, ...result.unwritten, ...result.rejected.map(({ item }) => item)];
    expect(all.toSorted((a, b) => a - b)).toEqual(items(100));
    expect(written.length).toBeGreaterThan(0);
  });

  it('does not split a batch after a transient error', async () => {
    let asked = 0;
    const error = new Error('deadlock detected');
    const result = await writeApart(items(8), async () => {
      asked += 1;
      throw error;
    });
    expect(asked).toBe(1);
    expect(result).toEqual({ rejected: [], unwritten: items(8), error });
  });
});
