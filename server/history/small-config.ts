import type { Db } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';

/** The config of `m` without its large parts, which lists and pages do not show. It is sufficient for the address and for the validity of checks. */
export const smallConfig = Prisma.sql`(m.config - '{body,headers,assertions,auth,send,expect,values,query}'::text[])`;

/** The small configs of monitors by number. */
export async function readSmallConfigs(db: Db, nums: number[]): Promise<Map<number, object>> {
  // Raw: a part of a JSON value.
  const rows = await db.$queryRaw<{ num: number; config: object }[]>`
    select m.num, ${smallConfig} as config from monitors m where m.num = any(${nums}::int[])`;
  return new Map(rows.map(({ num, config }) => [num, config]));
}
