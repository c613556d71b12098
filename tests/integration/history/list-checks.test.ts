import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { listChecks } from '@/server/history/monitor/list-checks';
import type { Check } from '@/server/monitor-types/schema';
import { db } from '@/server/platform/db';
import { newMonitor, newTeam } from '@/tests/integration/notifications/support';
import { addChecks } from '@/tests/support/checks';

let teamId: string;

beforeAll(async () => {
  ({ id: teamId } = (await newTeam()).team);
});

const places = ['a', 'b-1', 'b1', 'default', 'eu', 'eu-west', 'eu-west-2', 'z9'];
const minute = Math.floor(Date.now() / 60_000) * 60_000;

/** All pages of the monitor's checks. */
async function readAll(id: string, limit: number): Promise<Check[]> {
  const all: Check[] = [];
  for (let cursor: string | undefined, pages = 0; ; pages += 1) {
    if (pages > 100) throw new Error('The pages never end.');
    const { checks, nextCursor } = await listChecks(db, teamId, { id, limit, cursor });
    all.push(...checks);
    if (nextCursor === null) return all;
    expect(checks).toHaveLength(limit);
    cursor = nextCursor;
  }
}

const results = fc.uniqueArray(fc.record({ ms: fc.nat(3), region: fc.constantFrom(...places) }), {
  selector: ({ ms, region }) => `${ms} ${region}`,
  maxLength: 32,
});

describe("pages of a monitor's checks", () => {
  it('return each result once, latest first, however many there are in a millisecond and wherever a page ends', async () => {
    await fc.assert(
      fc.asyncProperty(results, fc.integer({ min: 1, max: 9 }), async (seen, limit) => {
        const { id, num } = await newMonitor(teamId);
        const status = 'up' as const;
        const rows = seen.map(({ ms, region }) => ({ monitorNum: num, at: new Date(minute + ms), region, status }));
        await addChecks(rows);
        const listed = await readAll(id, limit);
        const key = ({ at, region }: { at: Date | string; region: string }) =>
          `${new Date(at).toISOString()} ${region}`;
        expect(listed.map(key).toSorted()).toEqual(rows.map(key).toSorted());
        expect(listed.map(({ at }) => at)).toEqual(
          listed
            .map(({ at }) => at)
            .toSorted()
            .toReversed(),
        );
        expect(new Set(listed.map((check) => check.id)).size).toBe(rows.length);
      }),
      { numRuns: 25 },
    );
  });

  it('continue after a cursor that is a time alone', async () => {
    const { id, num } = await newMonitor(teamId);
    const row = { monitorNum: num, status: 'up' as const };
    const moments = [0, 1, 2].map((ms) => new Date(minute + ms));
    await addChecks(moments.map((at) => ({ ...row, at, region: 'eu' })));
    const cursor = moments[1]?.toISOString();
    const { checks } = await listChecks(db, teamId, { id, limit: 10, cursor });
    expect(checks.map(({ at }) => at)).toEqual([moments[0]?.toISOString()]);
  });

  it.each(['', 'EU', 'a b', 'a\u0000', '-a', 'eu_west', 'a'.repeat(33)])(
    'reject a cursor of region %j',
    async (region) => {
      const { id } = await newMonitor(teamId);
      const cursor = `${new Date(minute).toISOString()}_${region}`;
      await expect(listChecks(db, teamId, { id, limit: 10, cursor })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        issues: [{ path: 'cursor' }],
      });
    },
  );
});
