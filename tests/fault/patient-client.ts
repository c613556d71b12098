import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 180_000;

interface Answer {
  status: number;
  body: unknown;
}

type Page<T> = { nextCursor: string | null } & Record<string, T[] | string | null>;

/** A client of a product whose processes are killed: repeats a request until there is a response. */
export class PatientClient {
  token = '';

  constructor(private readonly url: string) {}

  /** One request; null without a complete answer. */
  private async tryCall(method: string, path: string, body?: unknown, key?: string): Promise<Answer | null> {
    try {
      const response = await fetch(this.url + path, {
        method,
        headers: {
          authorization: `Bearer ${this.token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        signal: AbortSignal.timeout(15_000),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    } catch {
      return null;
    }
  }

  /** Repeats the request until the product can answer it. Throws for any other error. */
  async call<T>(method: string, path: string, body?: unknown, key?: string): Promise<T> {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(100)) {
      const answer = await this.tryCall(method, path, body, key);
      // 409: the first request with this key is still running, or was killed a moment ago.
      if (!answer || answer.status >= 500 || answer.status === 409) continue;
      if (answer.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
      return answer.body as T;
    }
    throw new Error(`${method} ${path} was not answered.`);
  }

  /** All pages of a list. */
  async list<T>(path: string, name: string): Promise<T[]> {
    const all: T[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page<T> = await this.call('GET', `${path}?limit=100${cursor && `&cursor=${cursor}`}`);
      all.push(...(page[name] as T[]));
      cursor = page.nextCursor;
    }
    return all;
  }

  /** Creates an account with a team, then acts as its API key. `prepare` is called in between, as the account. */
  async signUp(name: string, prepare: () => Promise<unknown>): Promise<void> {
    const account = { email: `${name}@example.test`, password: 'nine unlikely words in a row' };
    ({ accessToken: this.token } = await this.call<{ accessToken: string }>('POST', '/auth/signup', account));
    await prepare();
    const key = { name, scopes: ['read', 'write'] };
    ({ secret: this.token } = await this.call<{ secret: string }>('POST', '/dashboard/api-keys', key));
  }
}
