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

/** Keeps attempts of checks that wait for a verdict. */
export async function insertAttempts(tx: Tx, rows: AttemptRow[]): Promise<void> {
  if (rows.length === 0) return;
  // Raw: a model call takes five times the CPU for hundreds of rows, while an outage is recorded.
  await tx.$executeRaw`
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
