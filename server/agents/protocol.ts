import { z } from 'zod';
import { CheckAttempt, LastGoodCheck } from '@/server/incidents/schema';
import { StrictLine } from '@/server/text/schema';

/** The path of the agents' protocol. A change that former agents cannot follow gets a new number. */
export const AGENT_PATH = '/api/agent/v1';

/** The header with an agent's compatibility version, which must be the server's. */
export const COMPATIBILITY_HEADER = 'upwatch-compatibility';
/** The header with the ID that the server gave the agent at its start. */
export const AGENT_HEADER = 'upwatch-agent';

/** How long a claim of an agent lasts beyond its due time or last renewal. A result that arrives later is dropped. */
export const AGENT_LEASE_MS = 15_000;
/** How many claims an agent holds at most, which also limits the results that it keeps while it is cut off. */
export const MOST_AGENT_CLAIMS = 1_000;
/** How many plans an agent reads at once: `READ_AT_ONCE` of its cache. */
export const MOST_PLANS_AT_ONCE = 25;
export const MOST_RESULTS = 100;
export const MOST_BODY_BYTES = 1024 * 1024;
/** The maximum size of one result as JSON. A larger one is sent without its evidence. */
export const MOST_RESULT_BYTES = 256 * 1024;

const Id = z.string().max(64);
const Ms = z.number().nullable();
/** The largest difference of clocks that is reported. */
export const MOST_OFFSET_MS = 1e12;

/** Unix milliseconds. */
const Instant = z.int().min(0).max(8.64e15);
const Line = z.string().max(2_000);
/** A number of a protocol, as it is stored. */
const StatusCode = z.int().min(0).max(2_147_483_647).nullable();
/** Unix milliseconds in the years 1 to 9999. */
const Day = z.int().min(-62_135_596_800_000).max(253_402_300_799_999);

/** The first call of a process. The server answers with the ID under which it claims checks. */
export const StartInput = z.strictObject({
  name: StrictLine.min(1).max(100),
  version: StrictLine.max(100),
  /** X25519, raw, in base64url. */
  publicKey: z.string().regex(/^[\w-]{43}$/),
});
export const StartAnswer = z.object({ agentId: Id, region: z.string() });

export const ClaimInput = z.strictObject({
  limit: z.int().min(0).max(MOST_AGENT_CLAIMS),
  aheadMs: z.int().min(0).max(5_000),
});

const ClaimedState = z.object({
  status: CheckAttempt.shape.status,
  turnedAt: Instant.nullable(),
  openIncident: z.enum(['downtime', 'degraded']).nullable(),
  steadySince: Instant.nullable(),
  changes: z.array(Instant),
});

const AgentClaim = z.object({
  monitorId: Id,
  version: z.int(),
  dueAt: Instant,
  leaseUntil: Instant,
  /** Proves when the check was claimed; sent back with its result. */
  ticket: z.string(),
  /** The parts of the region's state that the check depends on. */
  state: ClaimedState,
});
export type AgentClaim = z.infer<typeof AgentClaim>;

export const ClaimAnswer = z.object({ now: Instant, nextDueAt: Instant.nullable(), claims: z.array(AgentClaim) });

export const RenewInput = z.strictObject({ monitorIds: z.array(Id).max(MOST_AGENT_CLAIMS) });
export const RenewAnswer = z.object({ leases: z.array(z.object({ monitorId: Id, leaseUntil: Instant })) });

export const PlansInput = z.strictObject({ monitorIds: z.array(Id).max(MOST_PLANS_AT_ONCE) });
/** The monitors with their secrets, sealed to the agent's key. */
export const PlansAnswer = z.object({ sealed: z.object({ key: z.string(), text: z.string() }) });

const Timings = z.object({ dnsMs: Ms, connectMs: Ms, tlsMs: Ms, firstByteMs: Ms, downloadMs: Ms });
const Step = z.object({
  name: Line,
  statusCode: StatusCode,
  latencyMs: Ms,
  timings: Timings,
  isMet: z.boolean().nullable(),
});

/** What a check observed, without what only its rules read. */
const AgentObservation = z.strictObject({
  outcome: z.enum(['ok', 'failed', 'unknown']),
  error: Line.nullable(),
  latencyMs: z.number(),
  timings: Timings,
  family: z.literal([4, 6]).nullable(),
  certificate: z
    .union([z.literal('unreadable'), z.strictObject({ subject: Line, issuer: Line, validFrom: Day, validTo: Day })])
    .nullable(),
  statusCode: StatusCode,
  addresses: z.array(z.strictObject({ address: z.string().max(100) })).max(20),
  connections: z
    .array(z.strictObject({ address: z.string().max(100), port: z.int().nullable(), error: Line.nullable() }))
    .max(20),
  fingerprint: z.string().max(200).nullable(),
  steps: z.array(Step).max(50).optional(),
});
export type AgentObservation = z.infer<typeof AgentObservation>;

export const AgentResult = z.strictObject({
  monitorId: Id,
  version: z.int(),
  ticket: z.string().max(200),
  /** When the check began, by the agent's measure of the server's clock. */
  at: Instant,
  verdict: z.strictObject({
    status: z.enum(['up', 'degraded', 'down', 'unknown']),
    error: Line.nullable(),
    isNearlySlow: z.boolean().optional(),
  }),
  observation: AgentObservation.nullable(),
  /** The evidence of a check that a verdict may count, with its secrets masked. */
  kept: z.strictObject({ attempt: CheckAttempt, lastGood: LastGoodCheck.nullable() }).optional(),
});
export type AgentResult = z.infer<typeof AgentResult>;

/** Each result is validated on its own, so that one that is malformed does not hold up the others. */
export const ResultsInput = z.strictObject({ results: z.array(z.unknown()).max(MOST_RESULTS) });
/** `due`: the results that counted, with the next due time. `retry`: those to send again. The others are dropped. */
export const ResultsAnswer = z.object({
  due: z.array(z.object({ monitorId: Id, dueAt: Instant.nullable() })),
  retry: z.array(Id),
});

export const ReportInput = z.strictObject({
  checksPerMinute: z.number().min(0),
  latenessP99Ms: z.number().min(0).nullable(),
  clockOffsetMs: z.number().min(-MOST_OFFSET_MS).max(MOST_OFFSET_MS),
  hasNetwork: z.boolean(),
});
export type ReportInput = z.infer<typeof ReportInput>;
