import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

/** A received request. */
export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The body as it came, for one that is no text. */
  bytes: Buffer;
  at: Date;
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** Chooses the answer. 'reset' closes the connection without one, 'hang' never answers. */
export type Responder = (request: ReceivedRequest, count: number) => Answer | 'reset' | 'hang' | Promise<Answer>;

export interface HttpReceiver {
  url: string;
  port: number;
  requests: ReceivedRequest[];
  /** Sets the response to further requests; 200 by default. */
  respond(responder: Responder): void;
  /** Resolves with all requests as soon as there are `count`; rejects after `timeoutMs`. */
  waitFor(count: number, timeoutMs?: number): Promise<ReceivedRequest[]>;
  close(): Promise<void>;
}

/** Between two calls of a condition, and at most for one that takes long. */
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [20, 250];
/** A condition that asks the product would otherwise take as much of the CPU as what it waits for. */
const PAUSE_FOR_DURATION = 9;

/** Resolves when `isTrue` returns true. It is called every 20 ms, or less often if it takes long, for at most `timeoutMs`. */
export async function until(isTrue: () => boolean | Promise<boolean>, timeoutMs = 10_000, what = 'It'): Promise<void> {
  const end = Date.now() + timeoutMs;
  for (let began = performance.now(); !(await isTrue()); began = performance.now()) {
    if (Date.now() > end) throw new Error(`${what} did not happen within ${timeoutMs} ms.`);
    const wanted = PAUSE_FOR_DURATION * (performance.now() - began);
    await sleep(Math.min(Math.max(wanted, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS));
  }
}

function write(response: ServerResponse, answer: Answer | 'reset' | 'hang'): void {
  if (answer === 'hang') return;
  if (answer === 'reset') response.destroy();
  else response.writeHead(answer.status, answer.headers).end(answer.body ?? '');
}

/** A real HTTP server on loopback that records its requests. `port` 0 chooses a free one. */
export async function startHttpReceiver({ port = 0 } = {}): Promise<HttpReceiver> {
  const requests: ReceivedRequest[] = [];
  let responder: Responder = () => ({ status: 200 });
  const server = createServer(async (incoming, response) => {
    const { method = '', url: path = '', headers } = incoming;
    const bytes = await buffer(incoming);
    const request = { method, path, headers, body: bytes.toString('utf8'), bytes, at: new Date() };
    requests.push(request);
    write(response, await responder(request, requests.length));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const taken = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    requests,
    respond(next) {
      responder = next;
    },
    async waitFor(count, timeoutMs = 10_000) {
      await until(() => requests.length >= count, timeoutMs, `Request ${count}`);
      return requests;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** One part of a message, decoded. */
interface MailPart {
  type: string;
  content: string;
}

interface ReceivedMail {
  from: string;
  to: string[];
  /** Header names in lower case, values unfolded. */
  headers: Record<string, string>;
  parts: MailPart[];
  raw: string;
}

export interface SmtpReceiver {
  /** The value for SMTP_URL. */
  url: string;
  mails: ReceivedMail[];
  /** Refuses every recipient with this reply code from now on; null accepts them again. */
  refuse(code: number | null): void;
  waitFor(count: number, timeoutMs?: number): Promise<ReceivedMail[]>;
  close(): Promise<void>;
}

function decodeBody(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function decodeWords(value: string): string {
  const joined = value.replace(/\?=\s+=\?/g, '?==?');
  return joined.replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_match, kind: string, word: string) =>
    kind.toUpperCase() === 'B'
      ? Buffer.from(word, 'base64').toString('utf8')
      : decodeBody(word.replaceAll('_', ' '), 'quoted-printable'),
  );
}

function splitMessage(raw: string): { headers: Record<string, string>; body: string } {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { headers, body: raw.slice(end + 4) };
}

function toParts(raw: string): MailPart[] {
  const { headers, body } = splitMessage(raw);
  const type = headers['content-type'] ?? 'text/plain';
  const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1];
  if (!boundary) return [{ type, content: decodeBody(body, headers['content-transfer-encoding'] ?? '') }];
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((part) => toParts(part.replace(/^\r\n/, '')));
}

/** A real SMTP server on loopback that records its messages. */
export async function startSmtpReceiver({ port = 0 } = {}): Promise<SmtpReceiver> {
  const mails: ReceivedMail[] = [];
  let refusal: number | null = null;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(_address, _session, callback) {
      if (refusal === null) callback();
      else callback(Object.assign(new Error('Not today'), { responseCode: refusal }));
    },
    async onData(stream, { envelope }, callback) {
      const raw = await text(stream);
      const { headers } = splitMessage(raw);
      mails.push({
        from: envelope.mailFrom ? envelope.mailFrom.address : '',
        to: envelope.rcptTo.map(({ address }) => address),
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, decodeWords(value)])),
        parts: toParts(raw),
        raw,
      });
      callback();
    },
  });
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    refuse(code) {
      refusal = code;
    },
    async waitFor(count, timeoutMs = 10_000) {
      await until(() => mails.length >= count, timeoutMs, `Mail ${count}`);
      return mails;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
