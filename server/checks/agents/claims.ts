import type { z } from 'zod';
import type { AgentIdentity } from '@/server/agents/identify-agent';
import {
  AGENT_LEASE_MS,
  type AgentClaim,
  type ClaimAnswer,
  type ClaimInput,
  type RenewAnswer,
} from '@/server/agents/protocol';
import { planAhead } from '@/server/maintenance/plan-ahead';
import { withShare } from '@/server/platform/database/connection-share';
import { db } from '@/server/platform/db';
import { log } from '@/server/platform/log';
import { type SealedBox, sealFor } from '@/server/platform/sealed-box';
import { claimDue, releaseClaims, renewClaims } from '../schedule/claim';
import { planColumns, toPlan } from '../schedule/plan';
import { ticketOf } from './ticket';

const msOf = (at: Date | null) => at?.getTime() ?? null;

let planning: Promise<void> | null = null;

/** Plans maintenance in the background, because checks beyond what is planned are not claimed. */
function planInBackground(): void {
  if (planning) return;
  // Not in the share of the team that asked.
  planning = withShare({ team: 'process' }, () => planAhead())
    .catch((error: unknown) => log.warn({ err: error }, 'Maintenance could not be planned; retrying'))
    .finally(() => {
      planning = null;
    });
}

/** Claims due checks of the agent's region for it. No other team's checks, and none of an instance's regions. */
export async function claimForAgent(
  agent: AgentIdentity,
  { limit, aheadMs }: z.infer<typeof ClaimInput>,
): Promise<z.infer<typeof ClaimAnswer>> {
  const { id: agentId, teamId, region } = agent;
  const due = await claimDue(agentId, { teamId, region }, aheadMs, limit, [], AGENT_LEASE_MS);
  if (due.isUnplanned) planInBackground();
  const claims = due.claims.map(({ monitorId, version, dueAt, leaseUntil, state }): AgentClaim => {
    const { status, turnedAt, openIncident, steadySince, changes } = state;
    return {
      monitorId,
      version,
      dueAt: dueAt.getTime(),
      leaseUntil: leaseUntil.getTime(),
      ticket: ticketOf({ agentId, monitorId, version, dueAt }, due.now),
      state: {
        status,
        turnedAt: msOf(turnedAt),
        openIncident,
        steadySince: msOf(steadySince),
        changes: changes.map((at) => at.getTime()),
      },
    };
  });
  return { now: due.now.getTime(), nextDueAt: msOf(due.nextDueAt), claims };
}

/** Renews claims that have not expired. */
export async function renewForAgent(
  { id, region }: AgentIdentity,
  monitorIds: string[],
): Promise<z.infer<typeof RenewAnswer>> {
  const renewed = await renewClaims(id, monitorIds, { leaseMs: AGENT_LEASE_MS, isStrict: true });
  const leases = monitorIds.flatMap((monitorId) => {
    const leaseUntil = renewed.get(`${monitorId} ${region}`);
    return leaseUntil ? [{ monitorId, leaseUntil: leaseUntil.getTime() }] : [];
  });
  return { leases };
}

export const releaseForAgent = ({ id }: AgentIdentity): Promise<void> => releaseClaims(id);

/**
 * Returns monitors of the agent's region with their decrypted configs, which only this agent's memory can open. A config that cannot be decrypted is
 * sent as it is stored, and the agent's check is unknown.
 */
export async function plansForAgent({ teamId, region, publicKey }: AgentIdentity, ids: string[]): Promise<SealedBox> {
  const where = { id: { in: ids }, teamId, regions: { has: region } };
  const rows = await db.monitor.findMany({ where, select: planColumns });
  const monitors = rows.map((row) => {
    const { watchChangedAt: _at, formerWatchMs: _ms, ...monitor } = row;
    const { target } = toPlan(row);
    return { ...monitor, config: target ? target.config : row.config };
  });
  return sealFor(publicKey, JSON.stringify(monitors));
}
