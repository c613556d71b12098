import { db } from '@/server/platform/db';
import { DAY_MS } from '@/server/time/schema';

/** A day (UTC) of raw results: a partition of `checks`, under the name of its table. */
export interface CheckDay {
  table: string;
  /** Inclusive start and exclusive end. */
  from: Date;
  to: Date;
  /** `leaving`: detaching was interrupted; `loose`: detached, but not dropped yet. */
  state: 'attached' | 'leaving' | 'loose';
}

/** Lists the partitions of raw results, oldest first, including those whose deletion was interrupted. */
export async function listCheckDays(): Promise<CheckDay[]> {
  // Raw: reads the catalog of partitions.
  const rows = await db.$queryRaw<{ table: string; at: number; state: CheckDay['state'] }[]>`
    select c.relname as "table", extract(epoch from to_date(right(c.relname, 8), 'YYYYMMDD'))::float8 as at,
      case when i.inhrelid is null then 'loose' when i.inhdetachpending then 'leaving' else 'attached' end as state
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid and i.inhparent = 'checks'::regclass
    where c.relname ~ '^checks_\\d{8}$' and c.relkind = 'r'
      and c.relnamespace = (select relnamespace from pg_class where oid = 'checks'::regclass)
    order by c.relname`;
  return rows.map(({ table, at, state }) => {
    const from = new Date(at * 1000);
    return { table, state, from, to: new Date(from.getTime() + DAY_MS) };
  });
}
