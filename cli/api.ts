import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';

/** The number of requests at once: as many as the server answers for one caller. */
const AT_ONCE = 6;
/** The longest wait for one request, including the time that rate limits demand. */
const PATIENCE_MS = 10 * 60_000;
const TIMEOUT_MS = 60_000;
const PAGE = 100;

const Failure = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  }),
});

/** An error response of the API. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly issues: { path: string; message: string }[];

  constructor(status: number, body: unknown) {
    const { error } = Failure.safeParse(body).data ?? {
      error: { code: `HTTP_${status}`, message: 'The response is not from the Upwatch API. Check the URL.' },
    };
    super(error.message);
    this.status = status;
    this.code = error.code;
    this.issues = 'issues' in error ? (error.issues ?? []) : [];
  }
}

/** A request got no response; the message says why. */
export class Unreachable extends Error {}

type Fetch = (request: Request) => Promise<Response>;

export interface ApiOptions {
  url: string;
  key: string;
  fetch?: Fetch;
}

/** Calls the public API with a key. Waits as long as rate limits demand, and repeats requests that got no response. */
export class Api {
  readonly #base: URL;
  readonly #key: string;
  readonly #fetch: Fetch;
  /** No request starts before this time, because one was refused by a rate limit. */
  #pausedUntil = 0;

  constructor({ url, key, fetch: send = fetch }: ApiOptions) {
    this.#base = new URL(url.endsWith('/') ? url : `${url}/`);
    this.#key = key;
    this.#fetch = send;
  }

  /**
   * Makes a request and returns the parsed response. Repeats it for up to 10 min while the instance is busy, and three times if there is no response.
   * @throws ApiError, Unreachable
   */
  async call(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
    const until = Date.now() + PATIENCE_MS;
    for (let failures = 0; ; ) {
      await wait(Math.max(0, this.#pausedUntil - Date.now()));
      const response = await this.#send(method, path, body).catch((error: unknown) => {
        failures += 1;
        if (failures < 4) return null;
        const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
        throw new Unreachable(`${this.#base.origin} does not answer: ${cause}`);
      });
      const seconds = response === null ? failures : Number(response.headers.get('retry-after') ?? Number.NaN);
      const isBusy = response === null || response.status === 429 || response.status === 503;
      const pauseMs = Math.max(1, Number.isNaN(seconds) ? 1 : seconds) * 1_000;
      if (isBusy && Date.now() + pauseMs < until) {
        await response?.body?.cancel();
        this.#pausedUntil = Math.max(this.#pausedUntil, Date.now() + pauseMs);
        continue;
      }
      if (response === null) throw new Unreachable(`${this.#base.origin} does not answer.`);
      const answer: unknown = await response.json().catch(() => null);
      if (!response.ok || answer === null) throw new ApiError(response.status, answer);
      return answer;
    }
  }

  #send(method: string, path: string, body: unknown): Promise<Response> {
    return this.#fetch(
      new Request(new URL(path.replace(/^\//, ''), this.#base), {
        method,
        // Rejects redirects, so that the key is sent nowhere else.
        redirect: 'error',
        headers: {
          authorization: `Bearer ${this.#key}`,
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }),
    );
  }

  /** Calls an operation, and returns the object in its answer. */
  async one<Item>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    name: string,
    body?: unknown,
  ): Promise<Item> {
    const answer = (await this.call(method, path, body)) as Record<string, Item>;
    return answer[name] as Item;
  }

  /** Returns all objects of a list, oldest first. */
  async all<Item>(path: string, name: string): Promise<Item[]> {
    const found: Item[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = `limit=${PAGE}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
      const answer = (await this.call('GET', `${path}?${query}`)) as Record<string, Item[]> & {
        nextCursor: string | null;
      };
      found.push(...(answer[name] ?? []));
      cursor = answer.nextCursor;
    }
    return found.reverse();
  }
}

/**
 * Runs `work` on the items, six at a time. Starts no more after a failure.
 * @throws the first failure
 */
export async function forEachAtOnce<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const queue = [...items].reverse();
  let failure: { error: unknown } | undefined;
  const run = async () => {
    for (let item = queue.pop(); item !== undefined && !failure; item = queue.pop()) {
      try {
        await work(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
  if (failure) throw failure.error;
}
