/** What the application knows of a request and the web process does not. */
export interface RequestFacts {
  /** The pattern of its path, where that is finer than the page's or route handler's own. */
  route?: string;
  /** Who is behind it. */
  actor?: 'anonymous' | 'user' | 'key';
  /** It met a database that is away. */
  isDatabaseAway?: boolean;
}

/** What the web process (scripts/lib/requests.mjs) shares with the application, which is bundled apart from it. */
export interface Shared {
  /** The requests that are being answered, by their id. */
  upwatchRequests?: Map<string, RequestFacts>;
  /** The metrics of this process in Prometheus' text format. */
  upwatchProcessMetrics?: () => Promise<string>;
}

const shared = globalThis as Shared;

/** Adds to what is known of a request, for its line in the log and its metrics. */
export function noteRequest(requestId: string, facts: RequestFacts): void {
  const known = shared.upwatchRequests?.get(requestId);
  if (known) Object.assign(known, facts);
}

/** The metrics that the web process keeps of itself and its requests; empty where there is none, as in tests. */
export async function processMetrics(): Promise<string> {
  return (await shared.upwatchProcessMetrics?.()) ?? '';
}
