import { expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { nextDue, phaseMs, shiftOf } from '@/server/time/phase';
import { nextDueSql, phaseSql } from '@/server/time/phase-sql';
import { random } from '@/tests/support/random';

const draw = random(7);
const below = (limit: number) => Math.floor(draw() * limit);
const INTERVALS = [1, 5, 10, 30, 60, 299, 3_600, 86_400];

const CASES = Array.from({ length: 2_000 }, (_, id) => {
  const regions = 1 + below(5);
  return {
    id,
    monitorNum: id < 100 ? id + 1 : below(2 ** 31),
    intervalSeconds: INTERVALS[below(INTERVALS.length)] ?? 60,
    phaseShift: shiftOf(below(regions), regions),
    after: new Date(Date.UTC(2020, 0, 1) + below(10 * 365 * 86_400_000)),
  };
});

it('a monitor is due at the same moments by the rule in TypeScript and by the rule in SQL', async () => {
  const phase = phaseSql(Prisma.sql`"monitorNum"`, Prisma.sql`"phaseShift"`);
  const rows = await db.$queryRaw<{ id: number; phase: number; due: Date }[]>`
    select id, floor(${phase} * "intervalSeconds" * 1000) as phase,
      ${nextDueSql(phase, Prisma.sql`"intervalSeconds"`, Prisma.sql`after`)} as due
    from jsonb_to_recordset(${JSON.stringify(CASES)}::jsonb)
      as cases (id int, "monitorNum" int, "intervalSeconds" int, "phaseShift" float8, after timestamptz) order by id`;
  expect(rows).toEqual(CASES.map((each) => ({ id: each.id, phase: phaseMs(each), due: nextDue(each, each.after) })));
});
