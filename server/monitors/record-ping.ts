import { type Ping, storePing } from '@/server/checks/record/store-ping';
import { sha256 } from '@/server/platform/crypto';
import { AppError } from '@/server/platform/errors';
import { plainLines } from '@/server/platform/plain-text';

/** The maximum stored size of a ping's body. */
export const MOST_BODY_BYTES = 10 * 1024;
const MOST_EXIT_CODE = 255;

/** Parses the signal at the end of a ping's URL: none, "start", "fail", or an exit code. Null for anything else. */
function eventOf(signal: string): Ping['event'] | null {
  if (signal === '' || signal === '0') return { kind: 'success' };
  if (signal === 'start') return { kind: 'start' };
  if (signal === 'fail') return { kind: 'fail', error: 'The job reported a failure' };
  const code = /^[1-9]\d{0,2}$/.test(signal) ? Number(signal) : Number.NaN;
  return code <= MOST_EXIT_CODE ? { kind: 'fail', error: `The job ended with exit code ${code}` } : null;
}

const textOf = (body: Buffer) => plainLines(body.subarray(0, MOST_BODY_BYTES).toString('utf8'), MOST_BODY_BYTES);

const unknown = () => new AppError('NOT_FOUND', 'There is no heartbeat at this URL.');

/**
 * Parses a request to a ping URL.
 * @throws AppError NOT_FOUND for a URL that no heartbeat can have
 */
export function toPing({ token, signal, body }: { token: string; signal: string; body: Buffer }): Ping {
  const event = eventOf(signal);
  if (!event || !/^[\w-]{16,64}$/.test(token)) throw unknown();
  const kept = body.length === 0 ? null : { signal: signal === '' ? 'success' : signal, text: textOf(body) };
  return { tokenHash: sha256(token), event, body: kept };
}

/**
 * Records a heartbeat's ping. A paused heartbeat accepts pings without counting them.
 * @param cameAt the arrival time by the database's clock, for a ping that was kept while the database was unreachable
 * @returns the team of the heartbeat
 * @throws AppError NOT_FOUND
 */
export async function recordPing(ping: Ping, cameAt?: Date): Promise<string> {
  const teamId = await storePing(ping, cameAt);
  if (teamId === null) throw unknown();
  return teamId;
}
