import { readP95 } from '@/server/history/latency/read-p95';
import { rangeMs } from '@/server/history/monitor/read-uptime';
import { readHistories, uptimeIn } from '@/server/history/read-histories';
import { MOST_LISTED } from '@/server/monitor-types/schema';
import type { Db } from '@/server/platform/db';
import { invalidField } from '@/server/platform/errors';
import { takeLoopTurn } from '@/server/platform/loop-share';
import {
  entryColumns,
  type Figured,
  type Filter,
  figureColumns,
  type ListEntry,
  readById,
  readByIds,
} from './list-queries';
import { readInPages } from './read-in-pages';

/** The orders for which a value (figure) has to be computed from the history of each monitor. */
export type Figure = 'p95' | 'uptime';

/** The number of monitors whose figures are computed in one turn. */
const BATCH = 200;
/** How long computed figures are reused, and the maximum number of teams and figures for which they are cached. */
const KEPT_MS = 60_000;
const MOST_KEPT = 20;

/** One figure of a team's monitors by number, as far as it was computed. */
interface Kept {
  at: number;
  values: Map<number, number | null>;
  /** Resolves when the last pass that was started ends. */
  passes: Promise<void>;
}
const kept = new Map<string, Kept>();

async function computeBatch(db: Db, monitors: Figured[], figure: Figure, now: Date): Promise<Map<number, number>> {
  if (figure === 'p95') {
    return readP95(
      db,
      monitors.map(({ num }) => num),
      now,
    );
  }
  const range = { from: new Date(now.getTime() - rangeMs['30d']), to: now };
  const histories = await readHistories(db, monitors, [range]);
  const ratios = [...histories].flatMap(([num, history]): [number, number][] => {
    const { ratio } = uptimeIn(history, range);
    return ratio === null ? [] : [[num, ratio]];
  });
  return new Map(ratios);
}

/** Returns the cache entry of a team's figure. Replaces it if it is too old, and drops the oldest entry if there are too many. */
function keptOf(teamId: string, figure: Figure): Kept {
  const key = `${figure} ${teamId}`;
  const known = kept.get(key);
  if (known && Date.now() - known.at < KEPT_MS) return known;
  const made: Kept = { at: Date.now(), values: new Map(), passes: Promise.resolve() };
  kept.delete(key);
  kept.set(key, made);
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  return made;
}

/** Returns the figures of monitors. Computes missing ones in passes that run one after another, so that concurrent reads share the results. */
async function readFigures(
  db: Db,
  teamId: string,
  figure: Figure,
  monitors: ListEntry[],
): Promise<Map<number, number | null>> {
  const known = keptOf(teamId, figure);
  const { values } = known;
  const pass = async () => {
    const now = new Date();
    const missing = monitors.filter(({ num }) => !values.has(num));
    for (let from = 0; from < missing.length; from += BATCH) {
      await takeLoopTurn(teamId);
      const batch = missing.slice(from, from + BATCH);
      const ids = batch.map(({ id }) => id);
      const found = await computeBatch(db, await readByIds(db, figureColumns, teamId, ids), figure, now);
      for (const { num } of batch) values.set(num, found.get(num) ?? null);
    }
  };
  const passed = known.passes.then(pass);
  known.passes = passed.catch(() => undefined);
  await passed;
  return values;
}

interface FigureEntry extends ListEntry {
  value: number | null;
}

/** Compares monitors for sorting: slowest first, or lowest uptime first. Monitors without the figure come last. */
function compare(figure: Figure, a: Pick<FigureEntry, 'id' | 'value'>, b: Pick<FigureEntry, 'id' | 'value'>): number {
  if (a.value !== b.value) {
    if (a.value === null) return 1;
    if (b.value === null) return -1;
    return figure === 'p95' ? b.value - a.value : a.value - b.value;
  }
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/**
 * Reads the list after a position in the order of a figure. Needs the figure of every monitor that matches.
 * @throws AppError VALIDATION_ERROR (sort) if too many monitors match
 */
export async function readByFigure(
  db: Db,
  filter: Filter,
  figure: Figure,
  { after, limit }: { after: { value: number | null; id: string } | null; limit: number },
): Promise<FigureEntry[]> {
  const monitors = await readInPages<ListEntry>(filter.teamId, (last, limit) =>
    readById(db, entryColumns, filter, { after: last?.id ?? '', limit }),
  );
  if (monitors.length > MOST_LISTED) {
    const most = MOST_LISTED.toLocaleString('en-US');
    throw invalidField('sort', `Filter the list to at most ${most} monitors to sort it by ${figure}.`);
  }
  const values = await readFigures(db, filter.teamId, figure, monitors);
  const entries = monitors.map((entry) => ({ ...entry, value: values.get(entry.num) ?? null }));
  return entries
    .filter((entry) => !after || compare(figure, entry, after) > 0)
    .sort((a, b) => compare(figure, a, b))
    .slice(0, limit);
}
