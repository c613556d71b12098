import type { Db } from '@/server/platform/db';
import { invalidField } from '@/server/platform/errors';
import { DAY_MS } from '@/server/time/schema';
import { loadSchedules, readNames, scheduleNotFound, toOverride, toShift } from './queries';
import { layerTimelineOf, timelineOf } from './rota/timeline';
import { longestTimeline, type Timeline, type TimelineInput, timelineRange } from './schema';

/**
 * Returns who is on call in a range: each layer, the overrides, and the resulting shifts.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (too many shifts)
 */
export async function readTimeline(db: Db, teamId: string, { id, ...range }: TimelineInput): Promise<Timeline> {
  const { from, to } = timelineRange(range, new Date());
  const names = await readNames(db, teamId);
  const [loaded] = await loadSchedules(db, teamId, { ids: [id], from, to }, names);
  if (!loaded) throw scheduleNotFound();
  const { rota, overrides } = loaded;
  const days = longestTimeline(rota.layers);
  if (to.getTime() - from.getTime() > days * DAY_MS) {
    throw invalidField('to', `Ask for at most ${days} days of this schedule, because it changes often.`);
  }
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    layers: rota.layers.map((layer) => ({
      name: layer.name,
      shifts: layerTimelineOf(rota, layer, from, to).map((shift) => toShift(shift, names)),
    })),
    overrides: overrides.map((override) => toOverride(override, names)),
    final: timelineOf(rota, from, to).map((shift) => toShift(shift, names)),
  };
}
