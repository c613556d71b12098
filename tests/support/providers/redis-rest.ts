import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import RedisMock from 'ioredis-mock';

export interface RedisRest {
  url: string;
  token: string;
  /** Without a real Redis, escaped patterns, type errors and scans during deletion behave differently. */
  imitated: boolean;
  close: () => Promise<void>;
}

type Command = [string, ...(string | number)[]];
/** The imitation accepts the options of SET only in capitals. */
const inCapitals = (parameter: string | number, index: number) =>
  index < 2 ? String(parameter) : String(parameter).toUpperCase();

type Answer = { result: unknown } | { error: string };

const TOKEN = 'a token for tests';

async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString('utf8'));
}

/** Strings are sent in base64, as the client requests; the status "OK" is not. */
function encode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(encode);
  return typeof value === 'string' && value !== 'OK' ? Buffer.from(value).toString('base64') : value;
}

interface Backend {
  redis: Redis;
  imitated: boolean;
  stop: () => Promise<void>;
}

async function ownServer(): Promise<Backend> {
  const directory = await mkdtemp(join(tmpdir(), 'upwatch-redis-'));
  const socket = join(directory, 'redis.sock');
  const server = spawn('redis-server', ['--port', '0', '--unixsocket', socket, '--save', '', '--dir', directory], {
    stdio: 'ignore',
  });
  const redis = new Redis(socket, { retryStrategy: () => 50, maxRetriesPerRequest: 200 });
  redis.on('error', () => undefined);
  await redis.ping();
  return {
    redis,
    imitated: false,
    async stop() {
      redis.disconnect();
      server.kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function backend(): Promise<Backend> {
  if (!process.env.REDIS_URL && spawnSync('redis-server', ['--version']).status === 0) return ownServer();
  const redis = process.env.REDIS_URL ? new Redis(process.env.REDIS_URL) : new RedisMock();
  return { redis, imitated: !process.env.REDIS_URL, stop: async () => redis.disconnect() };
}

async function run(redis: Redis, [name, ...parameters]: Command, inBase64: boolean): Promise<Answer> {
  try {
    const method = Reflect.get(redis, name.toLowerCase()) as (...parameters: string[]) => Promise<unknown>;
    const result = await method.apply(redis, parameters.map(name === 'set' ? inCapitals : String));
    return { result: inBase64 ? encode(result) : result };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * A bridge with Upstash's HTTP protocol (a command as a JSON array at `/`, several at `/pipeline`) to the Redis at REDIS_URL,
 * otherwise to one that it starts if the program is installed, otherwise to an in-process imitation.
 */
export async function startRedisRest(): Promise<RedisRest> {
  const { redis, imitated, stop } = await backend();
  const server = createServer(async (request, response) => {
    const reply = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return reply(401, { error: 'Unauthorized' });
    const inBase64 = request.headers['upstash-encoding'] === 'base64';
    const body = await readJson(request);
    if (request.url === '/pipeline') {
      return reply(200, await Promise.all((body as Command[]).map((command) => run(redis, command, inBase64))));
    }
    if (request.url !== '/') return reply(404, { error: 'Not found' });
    const answer = await run(redis, body as Command, inBase64);
    return reply('error' in answer ? 400 : 200, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: TOKEN,
    imitated,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await stop();
    },
  };
}
