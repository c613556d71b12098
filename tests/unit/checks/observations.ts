import type { HttpAnswer } from '@/server/monitor-types/http/answer';
import type { Observation } from '@/server/monitor-types/probing/observation';
import { newTrace } from '@/server/monitor-types/probing/trace';

/** An HTTP answer as observed by a check. */
export function answer(changes: Partial<Omit<HttpAnswer, 'body'>> & { body?: string } = {}): HttpAnswer {
  const { body = '', ...rest } = changes;
  return { statusCode: 200, headers: {}, truncated: false, redirects: 0, ...rest, body: Buffer.from(body) };
}

/** A successful observation with this answer. */
export function observation(changes: Partial<Observation> = {}): Observation {
  return {
    outcome: 'ok',
    error: null,
    latencyMs: 42,
    timings: { dnsMs: null, connectMs: 1, tlsMs: null, firstByteMs: 2, downloadMs: 3 },
    family: 4,
    certificate: null,
    statusCode: 200,
    evidence: answer(),
    trace: newTrace(),
    ...changes,
  };
}
