import { type Ping, storePing } from '@/server/checks/record/store-ping';
import { sha256 } from '@/server/platform/crypto';
import { AppError } from '@/server/platform/errors';
import { plainLines } from '@/server/platform/plain-text';

/** The maximum stored size of a ping's body. */
export const MOST_BODY_BYTES = 10 * 1024;
const MOST_EXIT_CODE = 255;
/** The maximum length of the message of a failed push. */
const MOST_MESSAGE = 200;
/** Tokens of Upwatch have 43 characters; those of Uptime Kuma that imported heartbeats keep have 10 to 32. */
const TOKEN = /^[\w-]{10,64}$/;

/** Parses the signal at the end of a ping's URL: none, "start", "fail", or an exit code. Null for anything else. */
function eventOf(signal: string): Ping['event'] | null {
  if (signal === '' || signal === '0') return { kind: 'success' };
  if (signal === 'start') return { kind: 'start' };
  if (signal === 'fail') return { kind: 'fail', error: 'The job reported a failure' };
  const code = /^[1-9]\d{0,2}$/.test(signal) ? Number(signal) : Number.NaN;
  return code <= MOST_EXIT_CODE ? { kind: 'fail', error: `The job ended with exit code ${code}` } : null;
}

/**
 * Parses the parameters of a push URL of Uptime Kuma, `/api/push/<token>?status=up&msg=OK&ping=20`. As there, a missing status is "up", and every
 * other one than "up" is a failure.
 */
function eventOfPush(query: URLSearchParams): Ping['event'] {
  if ((query.get('status') || 'up') === 'up') return { kind: 'success' };
  return { kind: 'fail', error: plainLines(query.get('msg') ?? '', MOST_MESSAGE) || 'The job reported a failure' };
}

const textOf = (body: Buffer) => plainLines(body.subarray(0, MOST_BODY_BYTES).toString('utf8'), MOST_BODY_BYTES);

const unknown = () => new AppError('NOT_FOUND', 'There is no heartbeat at this URL.');

/**
 * Parses a request to a ping URL.
 * @throws AppError NOT_FOUND for a URL that no heartbeat can have
 */
export function toPing({ token, signal, body }: { token: string; signal: string; body: Buffer }): Ping {
  const event = eventOf(signal);
  if (!event || !TOKEN.test(token)) throw unknown();
  const kept = body.length === 0 ? null : { signal: signal === '' ? 'success' : signal, text: textOf(body) };
  return { tokenHash: sha256(token), event, body: kept };
}

/**
 * Parses a request to a push URL of Uptime Kuma, which imported heartbeats keep. Its message is stored as the body of the ping.
 * @throws AppError NOT_FOUND for a URL that no heartbeat can have
 */
export function toPush(token: string, query: URLSearchParams): Ping {
  if (!TOKEN.test(token)) throw unknown();
  const event = eventOfPush(query);
  const text = plainLines(query.get('msg') ?? '', MOST_BODY_BYTES);
  const body = text === '' ? null : { signal: event.kind === 'fail' ? 'fail' : 'success', text };
  return { tokenHash: sha256(token), event, body };
}

/** Returns whether a text can be the token of a heartbeat. */
export const isPingToken = (text: string) => TOKEN.test(text);

/**
 * Records the ping of a heartbeat. A paused heartbeat accepts pings without counting them.
 * @param cameAt the arrival time by the database's clock, for a ping that was kept while the database was unreachable
 * @returns the team of the heartbeat
 * @throws AppError NOT_FOUND
 */
export async function recordPing(ping: Ping, cameAt?: Date): Promise<string> {
  const teamId = await storePing(ping, cameAt);
  if (teamId === null) throw unknown();
  return teamId;
}
