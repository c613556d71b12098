import { formatLatency, formatLongDuration } from '@/app/_components/format';
import type { Incident, IncidentDetail } from '@/server/incidents/schema';

/** When an incident was acknowledged, and by whom; of one that was reopened, since then. */
export function acknowledgementOf({ updates }: Pick<IncidentDetail, 'updates'>) {
  const reopened = updates.findLastIndex(({ kind }) => kind === 'reopened');
  return updates.slice(reopened + 1).find(({ kind }) => kind === 'acknowledged');
}

/** The time from the start of an incident, in the one form that the page uses: "955 ms", "2.4 s", "14 min 56 s". */
export function tookWords({ startedAt }: Pick<Incident, 'startedAt'>, at: string): string {
  const ms = Math.max(0, Date.parse(at) - Date.parse(startedAt));
  return ms >= 60_000 ? formatLongDuration(ms / 1000) : formatLatency(ms);
}
