import { type Plan, Plans } from '@/server/checks/schedule/plan';
import { initialStates } from '@/server/checks/schedule/schedule-monitor';
import { sealConfig } from '@/server/monitor-types/config/config-secrets';
import { HttpConfig } from '@/server/monitor-types/schema';
import { db } from '@/server/platform/db';
import type { Monitor } from '@/server/platform/generated/prisma/client';
import { newId } from '@/server/platform/ids';
import { ownState } from '@/tests/support/own-state';

/** A team, written directly to the database. */
export async function makeTeam(): Promise<string> {
  const id = newId();
  await db.team.create({ data: { id, name: 'Team', plan: 'self_hosted' } });
  return id;
}

export interface MonitorOptions {
  url: string;
  intervalSeconds?: number;
  config?: Record<string, unknown>;
  regions?: string[];
}

/** Monitors that are due at once, written directly to the database without notifying workers. */
export async function makeMonitors(teamId: string, options: MonitorOptions[]): Promise<Monitor[]> {
  const now = new Date();
  return Promise.all(
    options.map(({ url, intervalSeconds = 3600, config = {}, regions = [] }) => {
      const id = newId();
      return db.monitor.create({
        data: {
          id,
          teamId,
          type: 'http',
          name: `Monitor of ${url}`,
          config: sealConfig({
            type: 'http',
            config: HttpConfig.parse({ url, timeoutMs: 5_000, ...config }),
          }) as object,
          intervalSeconds,
          regions,
          states: { createMany: { data: initialStates({ teamId, regions, dueAt: now }, now) } },
          spans: { create: { startedAt: now, status: 'pending' } },
        },
      });
    }),
  );
}

export async function makeMonitor(teamId: string, options: MonitorOptions): Promise<Monitor> {
  const [monitor] = await makeMonitors(teamId, [options]);
  if (!monitor) throw new Error('There is no monitor.');
  return monitor;
}

/** The plans of monitors, by ID. */
export async function loadPlans(
  wanted: { monitorId: string; version: number }[],
  plans = new Plans(),
): Promise<Map<string, Plan>> {
  const found = new Map<string, Plan>();
  for await (const part of plans.inParts(wanted)) {
    for (const { of, plan } of part) if (plan) found.set(of.monitorId, plan);
  }
  return found;
}

export const readState = (monitorId: string) => db.monitorState.findUniqueOrThrow({ where: ownState(monitorId) });

/** A monitor's spans as [status, is it open], oldest first. Each must end where the next starts. */
export async function readSpans(num: number): Promise<string[]> {
  const spans = await db.statusSpan.findMany({ where: { monitorNum: num }, orderBy: { startedAt: 'asc' } });
  spans.forEach(({ endedAt }, index) => {
    const next = spans[index + 1]?.startedAt ?? null;
    if (endedAt?.getTime() !== next?.getTime()) throw new Error(`Spans do not join: ${JSON.stringify(spans)}`);
  });
  return spans.map(({ status }) => status);
}

/** Makes a monitor due, as if its interval had passed. */
export async function makeDue(monitorId: string): Promise<void> {
  await db.$executeRaw`update monitor_states set due_at = now() where monitor_id = ${monitorId} and region = ''`;
}

/** A region's stored state of a monitor. */
export const readRegion = (monitorId: string, region: string) =>
  db.monitorState.findUniqueOrThrow({ where: { monitorId_region: { monitorId, region } } });

/** Makes a monitor due in one region. */
export async function makeRegionDue(monitorId: string, region: string): Promise<void> {
  await db.$executeRaw`
    update monitor_states set due_at = now() where monitor_id = ${monitorId} and region = ${region}`;
}
