import { databaseNow } from '@/server/platform/database-now';
import { db, type Tx } from '@/server/platform/db';
import { type DueMail, type DuePeriod, listZones, takeDue } from './queries';
import type { SummaryKind } from './schema';

/** Rows per transaction. */
const AT_ONCE = 500;

interface Due {
  /** Returns the period whose mail is due in a time zone; null if none is. */
  dueIn: (timezone: string, now: Date) => DuePeriod | null;
  /** Queues the jobs that send these mails. */
  queue: (tx: Tx, due: DueMail[]) => Promise<unknown>;
  signal: AbortSignal;
  now: Date | undefined;
}

/** Queues the due mails of a kind. Records each mail in the transaction that queues it, so that concurrent workers queue it once. */
export async function queueDue(kind: SummaryKind, { dueIn, queue, signal, now }: Due): Promise<void> {
  const at = now ?? (await databaseNow());
  const periods = (await listZones(db, kind)).flatMap((zone) => dueIn(zone, at) ?? []);
  if (periods.length === 0) return;
  const queueSome = () =>
    db.$transaction(async (tx) => {
      const due = await takeDue(tx, kind, periods, AT_ONCE);
      await queue(tx, due);
      return due.length;
    });
  for (let count = 1; count > 0 && !signal.aborted; ) count = await queueSome();
}
