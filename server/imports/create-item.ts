import { addPastDays } from '@/server/history/add-past-days';
import { createWindow } from '@/server/maintenance/create-window';
import { createMonitor } from '@/server/monitors/create-monitor';
import { isPingToken } from '@/server/monitors/record-ping';
import { updateMonitor } from '@/server/monitors/update-monitor';
import { createChannel } from '@/server/notifications/create-channel';
import { planLimits } from '@/server/plans/plans';
import { isDataError, violatedConstraint } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { createComponent } from '@/server/status-pages/components/create-component';
import { createStatusPage } from '@/server/status-pages/create-status-page';
import type { TeamContext } from '@/server/trpc/contexts';
import type { Draft, DraftMonitor, DraftPage } from './draft';
import { importedId } from './find-existing';
import type { ImportRow } from './queries';
import type { ImportKind } from './schema';

/** The import whose items are created, and the IDs of its channels and monitors that exist so far, by key. */
export interface Run {
  ctx: TeamContext;
  row: ImportRow;
  draft: Draft;
  channels: ReadonlyMap<string, string>;
  monitors: ReadonlyMap<string, string>;
}

interface Identity {
  id: string;
  externalId: string | null;
}

interface Made {
  id: string;
  note: string | null;
}

const SLUG_TRIES = 9;

const present = (keys: string[], objects: ReadonlyMap<string, string>) => [
  ...new Set(keys.flatMap((key) => objects.get(key) ?? [])),
];

/** Returns the IDs of a monitor's channels; null (all channels of the team) if it names none, or none of its own was imported. */
function channelIdsOf({ channelKeys }: DraftMonitor, channels: ReadonlyMap<string, string>): string[] | null {
  if (channelKeys === null) return null;
  const found = present(channelKeys, channels);
  return channelKeys.length > 0 && found.length === 0 ? null : found;
}

/** Returns the input that creates a monitor: with the plan's minimum interval, paused if the user chose that, and with its imported channels. */
function inputOf({ ctx, row, channels }: Run, drafted: DraftMonitor): DraftMonitor['input'] {
  const { minIntervalSeconds } = planLimits[ctx.team.plan];
  const { intervalSeconds = minIntervalSeconds, isActive = true } = drafted.input;
  return {
    ...drafted.input,
    intervalSeconds: Math.max(intervalSeconds, minIntervalSeconds),
    isActive: isActive && !row.startPaused,
    channelIds: channelIdsOf(drafted, channels),
  };
}

/** Creates a monitor with its former ping token, or with a new one if that is invalid or another heartbeat has it. The note says so. */
async function createWithToken(
  { ctx }: Run,
  input: DraftMonitor['input'],
  { id, token }: { id: string; token: string | null },
): Promise<Made> {
  const usable = token !== null && isPingToken(token) ? token : null;
  const changed = token === null ? null : 'It has a new ping URL. Update the job that pings it.';
  try {
    await createMonitor({ ctx, input }, { id, pingToken: usable });
    return { id, note: usable === token ? null : changed };
  } catch (error) {
    if (usable === null || !violatedConstraint(error)?.includes('ping_token')) throw error;
    await createMonitor({ ctx, input }, { id });
    return { id, note: changed };
  }
}

/** Creates a monitor and stores its past days if the user chose that. A note says if they could not be stored. */
async function makeMonitor(run: Run, drafted: DraftMonitor, { id, externalId }: Identity): Promise<Made> {
  const { ctx, row } = run;
  const input = { ...inputOf(run, drafted), externalId };
  const made = await createWithToken(run, input, { id, token: drafted.pingToken });
  if (!row.history || drafted.days.length === 0) return made;
  const { plan } = ctx.team;
  const monitor = await ctx.db.monitor.findFirst({
    where: { id: made.id, teamId: ctx.team.id },
    select: { num: true, intervalSeconds: true, createdAt: true },
  });
  const days = drafted.days.map(([day, up, down, maintenance]) => ({ day, up, down, maintenance }));
  try {
    if (monitor) await addPastDays(ctx.db, monitor, plan, days);
  } catch (error) {
    if (!isDataError(error)) throw error;
    return { ...made, note: 'Its history could not be carried over.' };
  }
  return made;
}

/** Creates a status page. If its slug is taken, appends a number, and a note says so. */
async function makePage({ ctx, monitors }: Run, drafted: DraftPage, { id, externalId }: Identity): Promise<Made> {
  const monitorIds = present(drafted.monitorKeys, monitors);
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? drafted.input.slug : `${drafted.input.slug.slice(0, 60)}-${number}`;
    try {
      await createStatusPage({ ctx, input: { ...drafted.input, slug, monitorIds, externalId } }, id);
      return { id, note: number === 1 ? null : `Its address is /status/${slug}, because the original one is taken.` };
    } catch (error) {
      const isTaken = error instanceof AppError && error.code === 'SLUG_TAKEN';
      if (!isTaken || number >= SLUG_TRIES) throw error;
    }
  }
}

/**
 * Creates the components of a page that it does not have yet (by name), so that a repeated call completes an interrupted one.
 * @returns a note that names the refused components; null if none was
 */
export async function addComponents({ ctx, draft }: Run, key: string, statusPageId: string): Promise<string | null> {
  const { components } = findDrafted(draft.pages, key);
  const present = await ctx.db.statusPageComponent.findMany({ where: { statusPageId }, select: { name: true } });
  const names = new Set(present.map(({ name }) => name));
  const refused: string[] = [];
  for (const input of components.filter(({ name }) => !names.has(name))) {
    try {
      await createComponent({ ctx, input: { ...input, statusPageId } });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'PLAN_LIMIT_REACHED') return `${error.message} The others were not created.`;
      if (error.code !== 'VALIDATION_ERROR') throw error;
      refused.push(input.name);
    }
  }
  return refused.length > 0 ? `These components were refused: ${refused.join(', ').slice(0, 400)}.` : null;
}

function findDrafted<Drafted extends { key: string }>(list: Drafted[], key: string): Drafted {
  const found = list.find((each) => each.key === key);
  if (!found) throw new AppError('EDIT_CONFLICT', 'The file no longer contains it.');
  return found;
}

/**
 * Creates the object of an item: a channel, monitor, maintenance window or status page.
 * @param item `id` is the ID of the new object; a copy gets no external ID
 * @throws AppError VALIDATION_ERROR at externalId if a concurrent import has created the object; EDIT_CONFLICT, and those of the creating operation
 */
export async function createItem(
  run: Run,
  { kind, key, isCopy, id }: { kind: ImportKind; key: string; isCopy: boolean; id: string },
): Promise<Made> {
  const { ctx, draft, monitors } = run;
  const externalId = isCopy ? null : importedId(run.row.source, draft, kind, key);
  switch (kind) {
    case 'channel': {
      const { input } = findDrafted(draft.channels, key);
      await createChannel({ ctx, input: { ...input, externalId } }, { id });
      return { id, note: null };
    }
    case 'monitor':
      return makeMonitor(run, findDrafted(draft.monitors, key), { id, externalId });
    case 'window': {
      const { input, monitorKeys } = findDrafted(draft.windows, key);
      const monitorIds = present(monitorKeys, monitors);
      if (monitorIds.length === 0) throw new AppError('EDIT_CONFLICT', 'None of its monitors was imported.');
      await createWindow({ ctx, input: { ...input, monitorIds, externalId } }, id);
      return { id, note: null };
    }
    case 'page':
      return makePage(run, findDrafted(draft.pages, key), { id, externalId });
    default:
      return kind satisfies never;
  }
}

/**
 * Updates the monitor of an earlier import to match the file. It stays active or paused.
 * @throws AppError as for `updateMonitor`
 */
export async function updateItem(run: Run, key: string, id: string): Promise<void> {
  const {
    isActive: _stays,
    type: _fixed,
    externalId: _kept,
    ...changes
  } = inputOf(run, findDrafted(run.draft.monitors, key));
  await updateMonitor({ ctx: run.ctx, input: { ...changes, config: { ...changes.config }, id } });
}
