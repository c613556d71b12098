import { z } from 'zod';
import {
  type AgentClaim,
  type AgentObservation,
  type AgentResult,
  ClaimAnswer,
  MOST_BODY_BYTES,
  MOST_OFFSET_MS,
  MOST_RESULT_BYTES,
  MOST_RESULTS,
  PlansAnswer,
  RenewAnswer,
  ResultsAnswer,
  StartAnswer,
} from '@/server/agents/protocol';
import type { Finding } from '@/server/checks/finding';
import type { Recorded } from '@/server/checks/record/record';
import type { Result } from '@/server/checks/record/write-results';
import { type Claim, claimKey, type Due } from '@/server/checks/schedule/claim';
import type { Clock } from '@/server/checks/schedule/clock';
import { type MonitorRow, Plans } from '@/server/checks/schedule/plan';
import type { ScheduleSource } from '@/server/checks/schedule/source';
import type { Observation } from '@/server/monitor-types/probing/observation';
import { log } from '@/server/platform/log';
import { BoxKey } from '@/server/platform/sealed-box';
import { version } from '@/server/platform/version';
import { type AgentClient, NotStarted, Refused, reasonOf } from './client';

/** The size of the results of one call; the server accepts more, so that evidence in another encoding still fits. */
const BYTES_AT_ONCE = MOST_BODY_BYTES / 2;

/** The plans that stay in memory until their versions change, and the characters of their configs. */
const MOST_PLANS = { entries: 10_000, size: 64 * 1024 * 1024 };

const Ok = z.object({ ok: z.literal(true) });

/** A monitor with its decrypted config. It comes from the server under a key of this process, so its form is known by its version. */
type OpenedMonitor = Omit<MonitorRow, 'watchChangedAt' | 'formerWatchMs'>;

const toDate = (ms: number | null) => (ms === null ? null : new Date(ms));

/** A claim with the server's proof of it, which is sent back with the result. */
interface TicketedClaim extends Claim {
  ticket: string;
}

/** Returns the claim with the parts of the state that a check depends on; the server decides on its own state. */
function toClaim(given: AgentClaim, region: string): TicketedClaim {
  const { state, monitorId, version: monitorVersion, dueAt, leaseUntil, ticket } = given;
  return {
    ticket,
    monitorId,
    region,
    version: monitorVersion,
    revision: 0,
    dueAt: new Date(dueAt),
    leaseUntil: new Date(leaseUntil),
    state: {
      status: state.status,
      turnedAt: toDate(state.turnedAt),
      openIncident: state.openIncident,
      steadySince: toDate(state.steadySince),
      changes: state.changes.map((at) => new Date(at)),
      statusSince: new Date(0),
      failures: 0,
      recoveries: 0,
      latencyStreak: 0,
      latencyTurnedAt: null,
      lastCheckedAt: null,
      noiseUntil: null,
      expectedSince: null,
      runStartedAt: null,
      certificate: null,
      certificateWarned: false,
      maintenance: [],
      checkPauses: [],
      plannedUntil: null,
      held: null,
    },
  };
}

const MOST_ADDRESSES = 20;
const MOST_STEPS = 50;
const cut = (text: string) => text.slice(0, 500);

function toObservation(seen: Observation): AgentObservation {
  const { outcome, error, latencyMs, timings, family, certificate, statusCode, trace } = seen;
  return {
    outcome,
    error,
    latencyMs,
    timings,
    family,
    certificate:
      certificate === null || certificate === 'unreadable'
        ? certificate
        : { ...certificate, validFrom: certificate.validFrom.getTime(), validTo: certificate.validTo.getTime() },
    statusCode,
    addresses: trace.addresses.slice(0, MOST_ADDRESSES).map(({ address }) => ({ address: address.slice(0, 100) })),
    connections: trace.connections.slice(0, MOST_ADDRESSES).map(({ address, port, error: reason }) => {
      return { address: address.slice(0, 100), port, error: reason === null ? null : cut(reason) };
    }),
    fingerprint: trace.fingerprint,
    ...(trace.steps && { steps: trace.steps.slice(0, MOST_STEPS).map((step) => ({ ...step, name: cut(step.name) })) }),
  };
}

function toAgentResult({ plan }: Result, { at, observation, verdict, kept }: Finding, ticket: string): AgentResult {
  const { id: monitorId, version: monitorVersion } = plan.monitor;
  const { status, error, isNearlySlow } = verdict;
  const result: AgentResult = {
    monitorId,
    version: monitorVersion,
    ticket,
    at: at.getTime(),
    verdict: { status, error, ...(isNearlySlow !== undefined && { isNearlySlow }) },
    observation: observation && toObservation(observation),
  };
  if (!kept || JSON.stringify(kept).length > MOST_RESULT_BYTES) return result;
  return { ...result, kept };
}

interface Parts {
  name: string;
  region: string | null;
  clock: Clock;
  /** Called when the server refuses this agent for good. */
  onRefused: (reason: Refused) => void;
}

/** The server as the source of an agent's checks. */
export class ServerSource implements ScheduleSource {
  readonly continuesAlone = false;
  readonly plans: Plans;
  readonly presence: ScheduleSource['presence'];
  /** The region of the token. */
  region = '';
  private readonly key = new BoxKey();
  private isReachable = true;
  private starting: Promise<void> | null = null;

  constructor(
    private readonly client: AgentClient,
    private readonly parts: Parts,
  ) {
    this.plans = new Plans(MOST_PLANS, (ids) => this.readRows(ids));
    this.presence = {
      write: async ({ lateness, egress }) => {
        const { perMinute, p99Ms } = lateness;
        const report = {
          checksPerMinute: perMinute,
          latenessP99Ms: p99Ms,
          clockOffsetMs: Math.max(-MOST_OFFSET_MS, Math.min(parts.clock.aheadMs, MOST_OFFSET_MS)),
          hasNetwork: egress.lostMsAgo === null,
        };
        await this.call('report', report, Ok);
      },
      leave: async () => void (await this.call('stop', {}, Ok)),
    };
  }

  /**
   * Registers this process at the server.
   * @throws Refused, or another error if the server cannot be reached
   */
  async start(): Promise<void> {
    const { name, region } = this.parts;
    const input = { name, version, publicKey: this.key.publicKey };
    const started = await this.client.call('start', input, StartAnswer);
    if (region !== null && started.region !== region)
      throw new Refused(`This token is for the region ${started.region}, not for ${region}.`);
    this.region = started.region;
    this.client.agentId = started.agentId;
    log.info({ region: this.region, agent: started.agentId }, 'The agent runs');
  }

  /** Calls the server. Registers again if the server has forgotten this process, such as after a restored backup. */
  private async call<Answer>(name: string, input: object, answer: z.ZodType<Answer>): Promise<Answer> {
    try {
      const result = await this.client.call(name, input, answer);
      if (!this.isReachable) log.info('The server can be reached again');
      this.isReachable = true;
      return result;
    } catch (error) {
      if (error instanceof Refused) this.parts.onRefused(error);
      else if (error instanceof NotStarted && name !== 'stop') await this.restart();
      else if (this.isReachable) {
        this.isReachable = false;
        log.warn({ reason: reasonOf(error) }, 'The server cannot be reached');
      }
      throw error;
    }
  }

  private restart(): Promise<void> {
    this.starting ??= this.start()
      .catch((error: unknown) => {
        if (error instanceof Refused) this.parts.onRefused(error);
        throw error;
      })
      .finally(() => {
        this.starting = null;
      });
    return this.starting;
  }

  async claimDue(aheadMs: number, limit: number): Promise<Due> {
    const { claims, now, nextDueAt } = await this.call('claim', { aheadMs, limit }, ClaimAnswer);
    return {
      claims: claims.map((claim) => toClaim(claim, this.region)),
      nextDueAt: toDate(nextDueAt),
      isUnplanned: false,
      now: new Date(now),
    };
  }

  async renewClaims(monitorIds: string[]): Promise<Map<string, Date>> {
    const { leases } = await this.call('renew', { monitorIds }, RenewAnswer);
    return new Map(leases.map(({ monitorId, leaseUntil }) => [claimKey(monitorId, this.region), new Date(leaseUntil)]));
  }

  /** The last call of `presence.leave` releases them. */
  async releaseClaims(): Promise<void> {}

  private async readRows(monitorIds: string[]): Promise<MonitorRow[]> {
    const { sealed } = await this.call('plans', { monitorIds }, PlansAnswer);
    const monitors = JSON.parse(this.key.open(sealed)) as OpenedMonitor[];
    return monitors.map((monitor) => ({ ...monitor, watchChangedAt: null, formerWatchMs: null }));
  }

  /** Sends results in calls of limited size. Results that the server drops are missing in what it returns. */
  async recordResults(results: Result[]): Promise<Recorded> {
    const recorded: Recorded = new Map();
    for (const part of this.inParts(results)) {
      const { due, retry } = await this.call('results', { results: part }, ResultsAnswer);
      for (const { monitorId, dueAt } of due) recorded.set(monitorId, toDate(dueAt));
      for (const monitorId of retry) recorded.set(monitorId, 'held');
    }
    return recorded;
  }

  private *inParts(results: Result[]): Generator<AgentResult[]> {
    let part: AgentResult[] = [];
    let bytes = 0;
    for (const result of results) {
      const { finding, claim } = result;
      if ('event' in finding || !claim) continue;
      const given = toAgentResult(result, finding, (claim as TicketedClaim).ticket);
      const size = Buffer.byteLength(JSON.stringify(given));
      if (part.length > 0 && (part.length >= MOST_RESULTS || bytes + size > BYTES_AT_ONCE)) {
        yield part;
        [part, bytes] = [[], 0];
      }
      part.push(given);
      bytes += size;
    }
    if (part.length > 0) yield part;
  }

  /** The state of an agent's network is shown on its page; administrators of the instance get no mail about it. */
  async reportEgress(): Promise<void> {}

  async afterPause(): Promise<void> {}

  async bringBack(): Promise<number> {
    return 0;
  }

  async planMaintenance(): Promise<void> {}

  async listen(): Promise<(() => void)[]> {
    return [];
  }
}
