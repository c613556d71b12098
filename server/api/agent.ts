import { z } from 'zod';
import { type AgentIdentity, identifyAgent, type Presented } from '@/server/agents/identify-agent';
import {
  AGENT_HEADER,
  AGENT_PATH,
  AgentResult,
  ClaimInput,
  COMPATIBILITY_HEADER,
  MOST_BODY_BYTES,
  PlansInput,
  RenewInput,
  ReportInput,
  ResultsInput,
  StartInput,
} from '@/server/agents/protocol';
import { reportAgent, startAgent, stopAgent } from '@/server/agents/start-agent';
import { claimForAgent, plansForAgent, releaseForAgent, renewForAgent } from '@/server/checks/agents/claims';
import { recordFromAgent } from '@/server/checks/agents/record-results';
import { withShare } from '@/server/platform/database/connection-share';
import { AppError, rateLimited } from '@/server/platform/errors';
import { requestIdOf } from '@/server/platform/ids';
import { exceededLimit } from '@/server/platform/json-size';
import { log } from '@/server/platform/log';
import { noteRequest } from '@/server/platform/request-facts';
import { TokenBuckets } from '@/server/platform/token-buckets';
import { logFailure, setErrorHeaders, toAppError, toEnvelope } from '@/server/trpc/error-table';
import { limitUnknownPings } from '@/server/trpc/rate-limit';
import { inShareOfNetwork } from '@/server/trpc/share';
import { stopEarly } from '@/server/trpc/stop-early';
import { readCapped } from './rest/read-input';

/** Calls of one agent per minute in this process, and at once: many more than a busy one makes. Those of all agents of a team. */
const CALLS_PER_MINUTE = 600;
const CALLS_AT_ONCE = 60;
const CALLS_PER_MINUTE_OF_TEAM = 3_000;
const CALLS_AT_ONCE_OF_TEAM = 300;
const JSON_LIMITS = { levels: 30, values: 60_000, fields: 100 };

const NoInput = z.strictObject({});

interface Endpoint {
  input: z.ZodType;
  answer: (agent: AgentIdentity, input: never) => Promise<unknown>;
}

const endpoint = <Input>(
  input: z.ZodType<Input>,
  answer: (agent: AgentIdentity, input: Input) => Promise<unknown>,
) => ({
  input,
  answer,
});

const done = async (work: Promise<unknown>) => {
  await work;
  return { ok: true };
};

/** What a started agent can call, each by POST. */
const endpoints: Record<string, Endpoint> = {
  claim: endpoint(ClaimInput, claimForAgent),
  renew: endpoint(RenewInput, (agent, { monitorIds }) => renewForAgent(agent, monitorIds)),
  plans: endpoint(PlansInput, async (agent, { monitorIds }) => ({ sealed: await plansForAgent(agent, monitorIds) })),
  results: endpoint(ResultsInput, (agent, { results }) => recordFromAgent(agent, results)),
  report: endpoint(ReportInput, (agent, report) => done(reportAgent(agent.id, report))),
  stop: endpoint(NoInput, (agent) => done(releaseForAgent(agent).then(() => stopAgent(agent.id)))),
};

stopEarly([...Object.values(endpoints).map(({ input }) => input), StartInput, AgentResult]);

const calls = new TokenBuckets(CALLS_PER_MINUTE, CALLS_AT_ONCE);
const callsOfTeams = new TokenBuckets(CALLS_PER_MINUTE_OF_TEAM, CALLS_AT_ONCE_OF_TEAM);

async function readBody(request: Request): Promise<unknown> {
  const bytes = await readCapped(request, MOST_BODY_BYTES);
  if (exceededLimit(bytes, JSON_LIMITS)) throw new AppError('VALIDATION_ERROR', 'The body has too many values.');
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new AppError('VALIDATION_ERROR', 'The body is not valid JSON.', { cause: error });
  }
}

/**
 * Counts a call of an agent.
 * @throws AppError RATE_LIMITED
 */
function count({ token, agent }: Presented): void {
  // An agent that starts again and again has a new ID each time.
  const own = { waitMs: calls.take(agent?.id ?? token.id), limit: CALLS_PER_MINUTE, who: 'An agent' };
  const team = {
    waitMs: callsOfTeams.take(token.teamId),
    limit: CALLS_PER_MINUTE_OF_TEAM,
    who: 'All agents of a team',
  };
  const { waitMs, limit, who } = own.waitMs > 0 ? own : team;
  if (waitMs === 0) return;
  const message = `${who} may send ${limit} requests per minute.`;
  throw rateLimited(message, { limit, resetSeconds: Math.ceil(waitMs / 1000) });
}

async function identify(request: Request, headers: Headers): Promise<Presented> {
  const given = {
    agentId: request.headers.get(AGENT_HEADER) ?? '',
    compatibility: request.headers.get(COMPATIBILITY_HEADER),
  };
  try {
    return await identifyAgent(request.headers.get('authorization'), given);
  } catch (error) {
    if (error instanceof AppError && error.code === 'UNAUTHENTICATED')
      await limitUnknownPings(request.headers.get('x-upwatch-address') ?? '', headers);
    throw error;
  }
}

async function answer(request: Request, headers: Headers, requestId: string): Promise<unknown> {
  if (request.method !== 'POST') {
    headers.set('allow', 'POST');
    throw new AppError('METHOD_NOT_ALLOWED', 'This URL accepts POST.');
  }
  const presented = await identify(request, headers);
  const { token, agent } = presented;
  noteRequest(requestId, { caller: { team: token.teamId, id: token.id, isKey: false } });
  count(presented);
  const { pathname } = new URL(request.url);
  const name = pathname.startsWith(`${AGENT_PATH}/`) ? pathname.slice(AGENT_PATH.length + 1) : '';
  const found = Object.hasOwn(endpoints, name) ? endpoints[name] : undefined;
  if (!found && name !== 'start') throw new AppError('NOT_FOUND', 'There is nothing at this URL.');
  const body = await readBody(request);
  return withShare({ team: token.teamId, host: 'agents' }, async () => {
    if (!found) return startAgent(token, StartInput.parse(body));
    if (!agent) throw new AppError('NOT_FOUND', 'This agent is not registered, so it has to start again.');
    return found.answer(agent, found.input.parse(body) as never);
  });
}

/** Answers `/api/agent/v1/{call}`: the protocol of agents (docs/decisions/0046-agents.md). Never throws. */
export async function handleAgent(request: Request): Promise<Response> {
  const requestId = requestIdOf(request.headers.get('x-request-id'));
  const headers = new Headers({ 'cache-control': 'no-store', 'x-request-id': requestId });
  try {
    const body = await inShareOfNetwork(request.headers, () => answer(request, headers, requestId));
    return Response.json(body, { headers });
  } catch (thrown) {
    const error = toAppError(thrown);
    logFailure(log, error, { requestId }, 'A call of an agent failed');
    setErrorHeaders(error, headers);
    if (error.code === 'UNAUTHENTICATED') noteRequest(requestId, { isRefused: true });
    const envelope = toEnvelope(error);
    return Response.json({ error: envelope }, { status: envelope.status, headers });
  }
}
