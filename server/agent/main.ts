import { AGENT_LEASE_MS, MOST_AGENT_CLAIMS } from '@/server/agents/protocol';
import { Clock } from '@/server/checks/schedule/clock';
import { Scheduler } from '@/server/checks/schedule/schedule';
import { env } from '@/server/platform/env';
import { log } from '@/server/platform/log';
import { AgentClient, Refused, reasonOf } from './client';
import { ServerSource } from './source';

export { Refused } from './client';

export interface AgentOptions {
  url: string;
  token: string;
  /** The expected region, with its prefix; null accepts that of the token. */
  region: string | null;
  /** The name of this agent in the dashboard. */
  name: string;
  /** Aborted when the agent is to stop. */
  signal: AbortSignal;
}

/** A slower answer is not used to measure the server's clock. */
const SLOWEST_SAMPLE_MS = 2_000;
const LONGEST_START_WAIT_MS = 10_000;
/** For how long running checks may continue when the agent stops. */
const CHECKS_GRACE_MS = 2_500;

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/**
 * Registers at the server; retries until it can be reached.
 * @returns false if the agent is to stop before
 * @throws Refused
 */
async function startPatiently(source: ServerSource, signal: AbortSignal): Promise<boolean> {
  for (let wait = 500; !signal.aborted; wait = Math.min(2 * wait, LONGEST_START_WAIT_MS)) {
    try {
      await source.start();
      return true;
    } catch (error) {
      if (error instanceof Refused) throw error;
      log.warn({ reason: reasonOf(error) }, 'The server cannot be reached; trying again');
      await Promise.race([aborted(signal), new Promise((resolve) => setTimeout(resolve, wait))]);
    }
  }
  return false;
}

/**
 * Checks the monitors of a private region until the signal aborts: claims due checks from the server, runs them with the code of the workers, and
 * sends what they found. The server decides. Nothing is stored on this machine.
 * @throws Refused if the token is invalid or revoked, or the versions do not fit
 */
export async function runAgent({ url, token, region, name, signal }: AgentOptions): Promise<void> {
  const clock = new Clock(SLOWEST_SAMPLE_MS);
  let refuse: (reason: Refused) => void = () => undefined;
  const refusal = new Promise<Refused>((resolve) => {
    refuse = resolve;
  });
  const source = new ServerSource(new AgentClient(url, token), { name, region, clock, onRefused: refuse });
  if (!(await startPatiently(source, signal))) return;
  const scheduler = new Scheduler(
    {
      worker: '',
      region: source.region,
      concurrency: env.workerConcurrency,
      mostHeld: MOST_AGENT_CLAIMS,
      leaseMs: AGENT_LEASE_MS,
      clock,
      egress: { canaries: env.egressCanaries },
    },
    source,
  );
  scheduler.start();
  const refused = await Promise.race([refusal, aborted(signal)]);
  await scheduler.stop(refused ? 0 : CHECKS_GRACE_MS);
  if (refused) throw refused;
}
