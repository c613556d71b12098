import type { Db } from '@/server/platform/db';
import { loadSchedules, readNames, scheduleNotFound, toOverride, toShifts } from './queries';
import { layerTimelineOf, timelineOf } from './rota/timeline';
import { type Timeline, type TimelineInput, timelineRange } from './schema';

/** Who is on call in a range: by layer, the overrides, and what comes of them. @throws AppError NOT_FOUND */
export async function readTimeline(db: Db, teamId: string, { id, ...range }: TimelineInput): Promise<Timeline> {
  const { from, to } = timelineRange(range, new Date());
  const names = await readNames(db, teamId);
  const [loaded] = await loadSchedules(db, teamId, { ids: [id], from, to }, names);
  if (!loaded) throw scheduleNotFound();
  const { rota, overrides } = loaded;
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    layers: rota.layers.map((layer) => ({
      name: layer.name,
      shifts: toShifts(layerTimelineOf(rota, layer, from, to), names),
    })),
    overrides: overrides.map((override) => toOverride(override, names)),
    final: toShifts(timelineOf(rota, from, to), names),
  };
}
