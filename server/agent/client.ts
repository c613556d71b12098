import { z } from 'zod';
import { AGENT_HEADER, AGENT_PATH, COMPATIBILITY_HEADER } from '@/server/agents/protocol';
import { COMPATIBILITY } from '@/server/platform/database/compatibility';
import { OwnError } from '@/server/platform/own-error';

/** The longest wait for one answer. */
const TIMEOUT_MS = 15_000;
/** The largest answer that is read: 25 plans of 64 KiB, sealed. */
const MOST_ANSWER_BYTES = 8 * 1024 * 1024;

const Failure = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** The server refuses this agent for good: its token, or its version. One line for the operator. */
export class Refused extends OwnError {
  static override readonly kind: string = 'Refused';
}

/** The server does not know this process, so it has to start again. */
export class NotStarted extends OwnError {
  static override readonly kind: string = 'NotStarted';
}

/** Returns why a call failed in one line. */
export function reasonOf(error: unknown): string {
  const { cause = null } = error instanceof Error ? error : {};
  return cause instanceof Error ? cause.message : error instanceof Error ? error.message : String(error);
}

async function readText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size > MOST_ANSWER_BYTES) throw new Error('The answer of the server is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Calls the agents' protocol of a server. */
export class AgentClient {
  /** The ID of this process, which the server gives it at its start. */
  agentId = '';

  constructor(
    private readonly url: string,
    private readonly token: string,
    private readonly send: (request: Request) => Promise<Response> = fetch,
  ) {}

  /**
   * @throws Refused, NotStarted, Error if the server cannot be reached or is busy
   */
  async call<Answer>(name: string, input: object, answer: z.ZodType<Answer>): Promise<Answer> {
    const request = new Request(new URL(`${AGENT_PATH}/${name}`, this.url), {
      method: 'POST',
      redirect: 'error',
      headers: {
        authorization: `Bearer ${this.token}`,
        'content-type': 'application/json',
        [COMPATIBILITY_HEADER]: String(COMPATIBILITY),
        [AGENT_HEADER]: this.agentId,
      },
      body: JSON.stringify(input),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { response, text } = await this.exchange(request);
    const body = parse(text);
    if (response.ok) return answer.parse(body);
    const failure = Failure.safeParse(body).data?.error;
    if (!failure) throw new Error(`The server answered ${response.status}, not as Upwatch does. Check the URL.`);
    if (response.status === 401 || response.status === 409) throw new Refused(failure.message);
    if (failure.code === 'NOT_FOUND' && name !== 'start') throw new NotStarted(failure.message);
    throw new Error(failure.message);
  }

  /**
   * Sends a request and reads its answer.
   * @throws Error if the server cannot be reached: not the TypeError of `fetch`, which the recorder takes for a result that is rejected
   */
  private async exchange(request: Request): Promise<{ response: Response; text: string }> {
    try {
      const response = await this.send(request);
      return { response, text: await readText(response) };
    } catch (error) {
      throw new Error(reasonOf(error), { cause: error });
    }
  }
}
