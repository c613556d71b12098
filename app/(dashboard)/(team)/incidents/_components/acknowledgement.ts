import { formatLatency, formatLongDuration } from '@/app/_components/format';
import type { Incident, IncidentDetail } from '@/server/incidents/schema';

/** When and by whom an incident was acknowledged, since its last reopening. */
export function acknowledgementOf({ updates }: Pick<IncidentDetail, 'updates'>) {
  const reopened = updates.findLastIndex(({ kind }) => kind === 'reopened');
  return updates.slice(reopened + 1).find(({ kind }) => kind === 'acknowledged');
}

/** The time from the start of an incident to `at`: "955 ms", "2.4 s", "14 min 56 s". */
export function tookWords({ startedAt }: Pick<Incident, 'startedAt'>, at: string): string {
  const ms = Math.max(0, Date.parse(at) - Date.parse(startedAt));
  return ms >= 60_000 ? formatLongDuration(ms / 1000) : formatLatency(ms);
}
