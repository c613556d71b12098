/** Facts about a request that only the application knows, not the web process. */
export interface RequestFacts {
  /** The route pattern, if it is more specific than the page's or route handler's own. */
  route?: string;
  /** The kind of actor. */
  actor?: 'anonymous' | 'user' | 'key';
  /** The caller by a valid credential: the team (or a user without one) whose share the request uses, and the API key or user. */
  caller?: { team: string; id: string; isKey: boolean };
  /** Whether its credential is unknown, expired or revoked. */
  isRefused?: boolean;
  /** The exhausted rate limit of its credential, or of its network without one: the limit, and the seconds until it resets. */
  exceeded?: { limit: number; seconds: number };
  /** Whether it failed because the database is unavailable. */
  isDatabaseAway?: boolean;
}

/** The interface between the web process (scripts/lib/web/requests.mjs) and the application, which is bundled separately. */
export interface Shared {
  /** The requests in progress, by ID. */
  upwatchRequests?: Map<string, RequestFacts>;
  /** The metrics of this process in Prometheus' text format. */
  upwatchProcessMetrics?: () => Promise<string>;
}

const shared = globalThis as Shared;

/** Adds facts to a request, for its log line and its metrics. Does nothing if the request is unknown. */
export function noteRequest(requestId: string, facts: RequestFacts): void {
  const known = shared.upwatchRequests?.get(requestId);
  if (known) Object.assign(known, facts);
}

/** Returns the metrics of the web process and its requests; empty without one, as in tests. */
export async function processMetrics(): Promise<string> {
  return (await shared.upwatchProcessMetrics?.()) ?? '';
}
