import type { MonitorStatus } from '@/server/monitor-types/schema';
import type { Tx } from '@/server/platform/db';

export interface AttemptRow {
  id: string;
  monitorId: string;
  row: string;
  at: Date;
  status: MonitorStatus;
  content: Uint8Array<ArrayBuffer>;
}

/** The maximum number of attempts kept per state row until a verdict. A verdict counts at most ten consecutive failures or successes. */
const MOST_WAITING = 40;

/** Stores attempts until a verdict counts them, and deletes the oldest beyond the limit of their row. */
export async function insertAttempts(tx: Tx, rows: AttemptRow[]): Promise<void> {
  if (rows.length === 0) return;
  // Raw: a model call takes five times the CPU for hundreds of rows, while an outage is recorded.
  await tx.$executeRaw`
    with surplus as materialized (
      select id from check_attempts where id in (
        select id from (
          select id, row_number() over (partition by monitor_id, row order by at desc, id desc) as place
          from check_attempts where monitor_id = any(${rows.map(({ monitorId }) => monitorId)}::text[]) and evidence_id is null
        ) waiting where place >= ${MOST_WAITING}
      ) for update skip locked
    ), deleted as (
      delete from check_attempts where id in (select id from surplus)
    )
    insert into check_attempts (id, monitor_id, row, at, status, content)
    select a.id, a.monitor_id, a.row, a.at, a.status::monitor_status, a.content from unnest(
      ${rows.map(({ id }) => id)}::text[],
      ${rows.map(({ monitorId }) => monitorId)}::text[],
      ${rows.map(({ row }) => row)}::text[],
      ${rows.map(({ at }) => at)}::timestamptz[],
      ${rows.map(({ status }) => status)}::text[],
      ${rows.map(({ content }) => content)}::bytea[]
    ) as a (id, monitor_id, row, at, status, content)`;
}
