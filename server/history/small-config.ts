import type { Db } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';

/**
 * Selects the config of monitor `m` without its large parts. The rest is enough for the address in lists and for how long checks are valid. Of steps,
 * only the URL of the first is left.
 */
export const smallConfig = Prisma.sql`(m.config - '{body,headers,assertions,auth,send,expect,values,query,variables}'::text[]
  || case when m.config->'steps' is null then '{}'::jsonb
    else jsonb_build_object('steps', jsonb_build_array(jsonb_build_object('url', m.config#>'{steps,0,url}'))) end)`;

/** Reads the configs of monitors without their large parts, by number. */
export async function readSmallConfigs(db: Db, nums: number[]): Promise<Map<number, object>> {
  // Raw: a part of a JSON value.
  const rows = await db.$queryRaw<{ num: number; config: object }[]>`
    select m.num, ${smallConfig} as config from monitors m where m.num = any(${nums}::int[])`;
  return new Map(rows.map(({ num, config }) => [num, config]));
}
