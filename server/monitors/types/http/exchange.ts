import type { IncomingMessage } from 'node:http';
import type { Attempt } from '@/server/monitors/probing/attempt';
import { dial } from '@/server/monitors/probing/dial';
import type { HttpConfig } from '@/server/monitors/schema';
import { assertHeaders, headersOf, httpTarget, readBody, sendRequest } from '@/server/platform/net';
import type { HttpAnswer } from './answer';
import type { HttpRequest } from './redirect';

const MOST_BODY_BYTES = 1024 * 1024;

/** Sends a request over a dedicated connection. Resolves with the response's head; its body is not read yet. */
export async function exchange(request: HttpRequest, config: HttpConfig, attempt: Attempt): Promise<IncomingMessage> {
  assertHeaders(request.headers);
  const family = config.ipFamily === 'auto' ? 0 : config.ipFamily === '4' ? 4 : 6;
  const socket = await dial({ ...httpTarget(request.url, config.verifyTls), family }, attempt);
  const from = attempt.now();
  const response = await sendRequest(request, socket, attempt.budget);
  attempt.spent('firstByteMs', from);
  attempt.answering = true;
  return response;
}

/** Reads a response to its end, or up to 1 MiB. Rejects if the connection breaks before that. */
export async function readAnswer(response: IncomingMessage, redirects: number, attempt: Attempt): Promise<HttpAnswer> {
  const from = attempt.now();
  const { body, truncated, broken } = await readBody(response, MOST_BODY_BYTES, attempt.budget);
  if (broken) throw broken;
  attempt.spent('downloadMs', from);
  return { statusCode: response.statusCode ?? 0, headers: headersOf(response), body, truncated, redirects };
}
