import http, { type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpConfig } from '@/server/monitors/schema';
import type { HttpAnswer } from '../types';
import type { Attempt } from './attempt';
import { dial } from './dial';
import type { HttpRequest } from './redirect';

const MOST_BODY_BYTES = 1024 * 1024;
const HTTP_1 = ['http/1.1'];

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function send(request: HttpRequest, socket: Socket): Promise<IncomingMessage> {
  const { url, method, headers, body } = request;
  return new Promise((resolve, reject) => {
    // Without an agent: the connection is there already, and is used once.
    const outgoing = http.request({
      createConnection: () => socket,
      method,
      path: url.pathname + url.search,
      headers: { host: url.host, ...headers, ...(body !== null && { 'content-length': Buffer.byteLength(body) }) },
    });
    outgoing.once('response', resolve);
    outgoing.once('upgrade', (response, upgraded) => {
      resolve(response);
      upgraded.destroy();
    });
    outgoing.on('error', reject);
    if (body === null) outgoing.end();
    else outgoing.end(body);
  });
}

/** Sends a request over a connection of its own. Resolves when the answer's head is in; its body is still to be read. */
export async function exchange(request: HttpRequest, config: HttpConfig, attempt: Attempt): Promise<IncomingMessage> {
  const { url } = request;
  const socket = await dial(
    {
      host: url.hostname,
      port: portOf(url),
      family: config.ipFamily === 'auto' ? 0 : config.ipFamily === '4' ? 4 : 6,
      tls: url.protocol === 'https:' ? { verify: config.verifyTls, alpn: HTTP_1 } : null,
    },
    attempt,
  );
  const from = performance.now();
  const response = await send(request, socket);
  attempt.spent('firstByteMs', from);
  attempt.answering = true;
  return response;
}

function toHeaders({ headers }: IncomingMessage): Record<string, string> {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  );
  return Object.fromEntries(pairs);
}

/** Reads an answer to its end, or to 1 MiB of it. Rejects where the connection breaks before that. */
export function readAnswer(response: IncomingMessage, redirects: number, attempt: Attempt): Promise<HttpAnswer> {
  const from = performance.now();
  const parts: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const done = (truncated: boolean) => {
      attempt.spent('downloadMs', from);
      const body = Buffer.concat(parts).subarray(0, MOST_BODY_BYTES);
      resolve({ statusCode: response.statusCode ?? 0, headers: toHeaders(response), body, truncated, redirects });
    };
    response.on('data', (part: Buffer) => {
      parts.push(part);
      size += part.length;
      if (size <= MOST_BODY_BYTES) return;
      done(true);
      response.destroy();
    });
    response.once('end', () => done(false));
    response.on('error', reject);
    response.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  });
}
