import type { Db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { takeLoopTurn } from '@/server/platform/loop-share';
import { DAY_MS } from '@/server/time/schema';
import { type KnownTargets, readTargets } from './escalation/known-targets';
import { reachOf, resolveTarget } from './escalation/resolve-reach';
import type { LoadedSchedule } from './queries';
import type { Shift } from './rota/rota';
import { timelineOf } from './rota/timeline';
import { changesPerDay, type EscalationStep, type EscalationTarget, type PolicyWarning } from './schema';

/** How many days ahead schedules are checked for gaps and for people who cannot be reached. */
const AHEAD_DAYS = 7;
/** The maximum number of changes that are checked: enough for a week of any layers that can be saved. Earlier versions saved layers with more. */
const MOST_CHANGES = 350;
const MOST_WARNINGS = 50;

type Found = Omit<PolicyWarning, 'step'>;

const SKIPPED: Found = { code: 'nobody_reached', message: 'Nobody can be notified now: the next step begins at once.' };

/** "Mon 23 Nov, 08:00" in the given zone. */
function momentText(at: Date, timeZone: string): string {
  const time = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-GB', { ...time, timeZone }).format(at);
}

function gapsOf({ row: { name, timezone } }: LoadedSchedule, shifts: Shift[]): Found[] {
  const gaps = shifts.filter(({ userId }) => userId === null);
  const [gap] = gaps;
  if (!gap) return [];
  if (shifts.length === 1) {
    return [{ code: 'nobody_on_call', message: `Nobody is on call in ${name} in the next ${AHEAD_DAYS} days.` }];
  }
  const more = gaps.length > 1 ? ` There are ${gaps.length} gaps in the next ${AHEAD_DAYS} days.` : '';
  const until = momentText(gap.endsAt, timezone);
  if (gap === shifts[0]) {
    return [{ code: 'nobody_on_call', message: `Nobody is on call in ${name} until ${until} (${timezone}).${more}` }];
  }
  const from = momentText(gap.startsAt, timezone);
  return [
    { code: 'schedule_gap', message: `Nobody is on call in ${name} from ${from} to ${until} (${timezone}).${more}` },
  ];
}

function personWarnings(userId: string, { names, methods }: KnownTargets): Found[] {
  const own = methods.get(userId) ?? [];
  const name = names.get(userId);
  const failing = own.filter(({ isFailing }) => isFailing).length;
  if (name === undefined || (own.length > 0 && failing === 0)) return [];
  const instead = env.smtpUrl ? ' Upwatch uses the email address of the account.' : '';
  if (own.length === 0) return [{ code: 'no_contact_method', message: `${name} has no contact method.${instead}` }];
  const all = own.length === 1 ? 'The contact method' : 'Every contact method';
  const message =
    failing === own.length
      ? `${all} of ${name} is failing.${instead}`
      : `${failing} of ${own.length} contact methods of ${name} ${failing === 1 ? 'is' : 'are'} failing.`;
  return [{ code: 'contact_method_failing', message }];
}

/** Returns warnings about the gaps of a schedule in the coming days, and about the contact methods of the people on call. */
function scheduleWarnings(schedule: LoadedSchedule, known: KnownTargets, now: Date): Found[] {
  const days = Math.min(AHEAD_DAYS, MOST_CHANGES / changesPerDay(schedule.rota.layers));
  const shifts = timelineOf(schedule.rota, now, new Date(now.getTime() + days * DAY_MS));
  const people = new Set(shifts.flatMap(({ userId }) => userId ?? []));
  return [...gapsOf(schedule, shifts), ...[...people].flatMap((userId) => personWarnings(userId, known))];
}

function targetWarnings(
  target: EscalationTarget,
  known: KnownTargets,
  ofSchedules: ReadonlyMap<string, Found[]>,
): Found[] {
  const ofSchedule = target.type === 'schedule' ? ofSchedules.get(target.id) : undefined;
  if (ofSchedule) return ofSchedule;
  const found = resolveTarget(target, known);
  if ('missing' in found) return [{ code: 'target_deleted', message: found.missing }];
  if ('userId' in found) return personWarnings(found.userId, known);
  const channel = known.channels.get(found.channelId);
  if (!channel?.isFailing) return [];
  const instead = channel.hasFallback ? ' Its messages go to its fallback.' : '';
  return [{ code: 'channel_failing', message: `The channel ${channel.name} is failing.${instead}` }];
}

/**
 * Finds what keeps the steps of policies from notifying somebody, now or in the coming days. Returns one list per policy, in the same order. Takes
 * turns with other teams, because a page of policies may name 20,000 targets.
 */
export async function readWarnings(db: Db, teamId: string, policies: EscalationStep[][]): Promise<PolicyWarning[][]> {
  const now = new Date();
  const range = { from: now, to: new Date(now.getTime() + AHEAD_DAYS * DAY_MS) };
  const known = await readTargets(db, teamId, policies.flat(), range);
  const ofSchedules = new Map<string, Found[]>();
  for (const [id, schedule] of known.schedules) {
    await takeLoopTurn(teamId);
    ofSchedules.set(id, scheduleWarnings(schedule, known, now));
  }
  const warnings: PolicyWarning[][] = [];
  for (const steps of policies) {
    await takeLoopTurn(teamId);
    warnings.push(warningsOf(teamId, steps, known, ofSchedules));
  }
  return warnings;
}

/** Returns the warnings of one policy, at most `MOST_WARNINGS`. */
function warningsOf(
  teamId: string,
  steps: EscalationStep[],
  known: KnownTargets,
  ofSchedules: ReadonlyMap<string, Found[]>,
): PolicyWarning[] {
  const areReached = steps.map((step) => reachOf(teamId, step, known).canReach);
  const isAny = areReached.some(Boolean);
  const ofSteps: PolicyWarning[] = steps.flatMap(({ targets }, index) => {
    const found = targets.flatMap((target) => targetWarnings(target, known, ofSchedules));
    const isSkipped = isAny && !areReached[index] && index + 1 < steps.length;
    const all = [...new Map(found.map((each) => [each.message, each])).values(), ...(isSkipped ? [SKIPPED] : [])];
    return all.map((each) => ({ step: index + 1, ...each }));
  });
  const instead = env.smtpUrl ? " The team's owners get an email instead." : '';
  const nobody: Found = { code: 'nobody_reached', message: `No step can notify anybody now.${instead}` };
  return [...(isAny ? [] : [{ step: null, ...nobody }]), ...ofSteps].slice(0, MOST_WARNINGS);
}
