import { markStale } from '@/server/history/mark-stale';
import type { Tx } from '@/server/platform/db';
import type { SpanStart } from '../verdict/types';

interface Change {
  monitorNum: number;
  spans: SpanStart[];
}

function toRows({ monitorNum, spans }: Change) {
  return spans.map(({ status, startedAt }, index) => {
    return { num: monitorNum, status, startedAt, endedAt: spans[index + 1]?.startedAt ?? null };
  });
}

/**
 * Appends new spans to monitors' histories: the open span ends where the first new one starts, and spans that started later are deleted.
 * Afterwards, each monitor has one open span. The caller has locked the monitors' states.
 */
export async function writeSpans(tx: Tx, changes: Change[]): Promise<void> {
  const changed = changes.filter(({ spans }) => spans.length > 0);
  if (changed.length === 0) return;
  const starts = changed.map(({ monitorNum, spans }) => ({ num: monitorNum, startedAt: spans[0]?.startedAt }));
  await tx.$executeRaw`
    with change as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(starts)}::jsonb) as c (num int, "startedAt" timestamptz)
    ), dropped as (
      delete from status_spans s using change c where s.monitor_num = c.num and s.started_at >= c."startedAt"
    )
    update status_spans s set ended_at = c."startedAt" from change c
    where s.monitor_num = c.num and s.started_at < c."startedAt" and (s.ended_at is null or s.ended_at > c."startedAt")`;
  await tx.$executeRaw`
    insert into status_spans (monitor_num, started_at, ended_at, status)
    select num, "startedAt", "endedAt", status
    from jsonb_to_recordset(${JSON.stringify(changed.flatMap(toRows))}::jsonb) as s (
      num int, "startedAt" timestamptz, "endedAt" timestamptz, status monitor_status
    )`;
  await markStale(
    tx,
    changed.flatMap(({ monitorNum, spans: [first] }) => (first ? [{ monitorNum, since: first.startedAt }] : [])),
  );
}
