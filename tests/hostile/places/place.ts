import type { Client } from 'pg';
import type { Team } from './team';

/** One request of the noisy team, or of an anonymous visitor if it has no token. The body is sent as it is. */
export interface Call {
  method: string;
  path: string;
  body?: string;
  token?: string;
  headers?: Record<string, string>;
}

/** A place where a team or a visitor can make work costly. */
export interface Place {
  name: string;
  /** The calls per second: by default ten, the rate limit of one key. */
  perSecond?: number;
  /**
   * Stores the objects of the calls, and returns the calls: with the most costly accepted inputs, and with rejected ones.
   * @param client to insert data that would take too long through calls
   */
  prepare(team: Team, client: Client): Promise<Call[]>;
}

/** A call of the team's API key with a JSON body. */
export function callOf({ key }: Team, method: string, path: string, body?: unknown): Call {
  return { method, path, token: key, ...(body !== undefined && { body: JSON.stringify(body) }) };
}

/** A call without a response after this time counts as unanswered. */
const PATIENCE_MS = 60_000;

/** Sends a call and reads its answer. @returns the status, 0 without an answer */
export async function send(url: string, { method, path, body, token, headers }: Call): Promise<number> {
  try {
    const answer = await fetch(url + path, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}
