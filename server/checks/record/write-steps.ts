import type { SeenStep } from '@/server/monitor-types/probing/trace';
import type { MonitorDetail } from '@/server/monitor-types/schema';
import { db } from '@/server/platform/db';
import { log } from '@/server/platform/log';
import { plainText } from '@/server/platform/plain-text';
import type { Result } from './write-results';

const MOST_NAME_CHARACTERS = 60;

type ShownSteps = NonNullable<MonitorDetail['steps']>['steps'];

const toShownSteps = (steps: SeenStep[]): ShownSteps =>
  steps.map(({ name, statusCode, latencyMs, isMet }) => {
    const shownMs = latencyMs === null ? null : Math.round(latencyMs);
    return { name: plainText(name, MOST_NAME_CHARACTERS), statusCode, latencyMs: shownMs, isMet };
  });

/** The steps of a recorded check; null if its monitor has none. */
function stepsOf({ plan, finding }: Result) {
  const steps = 'event' in finding ? undefined : finding.observation?.trace.steps;
  return steps ? { monitorId: plan.monitor.id, at: finding.at, steps: toShownSteps(steps) } : null;
}

/** Stores the steps of the last check of each monitor that has steps, for its page. Never rejects: only the page lacks them then. */
export async function writeSteps(recorded: Result[]): Promise<void> {
  const rows = recorded.flatMap((result) => stepsOf(result) ?? []);
  if (rows.length === 0) return;
  try {
    // Raw: one statement for all rows, which keeps the latest of each. A deleted monitor has none.
    await db.$executeRaw`
      insert into monitor_steps (monitor_id, at, steps)
      select r."monitorId", r.at, r.steps from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r ("monitorId" text, at timestamptz, steps jsonb)
      join monitors m on m.id = r."monitorId"
      order by m.id for key share of m
      on conflict (monitor_id) do update set at = excluded.at, steps = excluded.steps where monitor_steps.at < excluded.at`;
  } catch (error) {
    log.warn({ err: error }, 'The steps of checks could not be stored');
  }
}
