import { tryNow } from '@/server/checks/run/check-now';
import type { CheckAttempt } from '@/server/incidents/schema';
import { sealConfig } from '@/server/monitor-types/config/config-secrets';
import { isPassive } from '@/server/monitor-types/definitions';
import { assertExpressions } from '@/server/monitor-types/evaluation/assert-expressions';
import { monitorNotFound } from '@/server/monitor-types/output/to-monitor';
import { isCheckedByAgents } from '@/server/monitor-types/private-regions';
import type { TestMonitorInput, TypedConfig } from '@/server/monitor-types/schema';
import { unheld } from '@/server/platform/database/held-transaction';
import { invalidField } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import type { Call } from '@/server/trpc/contexts';
import { assertCheckable } from './assert-checkable';

/**
 * Checks a target once with settings that are not saved, through the same code as other checks. Stores nothing and notifies nobody. With `id`, a
 * secret sent as its mask is the stored one of that monitor, if it goes to the same server.
 * @returns what the check saw and each rule with its value, secrets masked
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (also for a heartbeat)
 */
export async function testMonitorSettings({ ctx, input }: Call<TestMonitorInput>): Promise<CheckAttempt> {
  const { team } = ctx;
  const { id, type } = input;
  if (isPassive(type)) throw invalidField('type', 'A heartbeat waits for pings, so there is nothing to check.');
  const typed = { type, config: input.config } as TypedConfig;
  const select = { type: true, config: true, regions: true } as const;
  const stored = id === undefined ? null : await ctx.db.monitor.findFirst({ where: { id, teamId: team.id }, select });
  if (id !== undefined && !stored) throw monitorNotFound();
  if (stored && stored.type !== type) throw invalidField('type', 'The type of a monitor cannot be changed.');
  if (stored && isCheckedByAgents(stored.regions)) {
    const message = 'Only agents can reach the target of this monitor. Save the settings; they then check it at once.';
    throw invalidField('id', message);
  }
  assertCheckable(typed);
  const config = sealConfig(typed, stored?.config);
  await assertExpressions(team.id, typed.config);
  const draft = {
    id: newId(),
    num: 0,
    teamId: team.id,
    type,
    name: '',
    severity: 'critical' as const,
    config,
    intervalSeconds: 60,
    version: 1,
    regions: [],
    watchChangedAt: null,
    formerWatchMs: null,
  };
  // Network I/O, so it runs outside of this request's transaction.
  return unheld(() => tryNow(draft));
}
