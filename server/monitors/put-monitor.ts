import { assertReadOnly } from '@/server/audit/assert-read-only';
import { isExternalIdTaken } from '@/server/external-ids/setting-external-id';
import { cronOf, defaultInterval } from '@/server/monitor-types/config/interval';
import type { Monitor, PutMonitorInput } from '@/server/monitor-types/schema';
import { AppError, invalidField } from '@/server/platform/errors';
import type { Call } from '@/server/trpc/contexts';
import { createMonitor } from './create-monitor';
import { updateMonitor } from './update-monitor';

/** The maximum number of attempts if the monitor is created or deleted concurrently between read and write. */
const TRIES = 5;

/**
 * Creates or updates the monitor with this externalId to match the input. Omitted fields get their defaults, so the operation is idempotent.
 * Concurrent calls result in one monitor.
 * @returns the monitor, and whether this call created it
 * @throws AppError PLAN_LIMIT_REACHED, VALIDATION_ERROR (the monitor has another type; see also creating and updating)
 */
export async function putMonitor({
  ctx,
  input,
}: Call<PutMonitorInput>): Promise<{ monitor: Monitor; created: boolean }> {
  const { externalId, type, config, isActive = true, tags = [], channelIds = null, regions = [] } = input;
  const { severity = 'critical' } = input;
  // A cron schedule replaces the interval.
  const hasInterval = cronOf(type, config) === null;
  const intervalSeconds = input.intervalSeconds ?? (hasInterval ? defaultInterval(ctx.team.plan) : undefined);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const present = await ctx.db.monitor.findFirst({
      where: { teamId: ctx.team.id, externalId },
      select: { id: true, teamId: true, type: true },
    });
    try {
      assertReadOnly(present ? { id: input.id } : input, present ?? { teamId: ctx.team.id, type });
      if (!present) return { monitor: await createMonitor({ ctx, input }), created: true };
      if (present.type !== type) {
        throw invalidField('type', `This monitor has the type ${present.type}, which cannot change.`);
      }
      const rest = { config: { ...config }, intervalSeconds, isActive, tags, channelIds, regions, severity };
      const changes = { ...input, id: present.id, ...rest };
      return { monitor: await updateMonitor({ ctx, input: changes }), created: false };
    } catch (error) {
      const gone = present && error instanceof AppError && error.code === 'NOT_FOUND';
      if (!gone && (present || !isExternalIdTaken(error))) throw error;
    }
  }
  throw new Error(`The monitor "${externalId}" came and went ${TRIES} times while it was written.`);
}
