// @ts-check
// `upwatch agent`: checks monitors of a private region for an instance that cannot reach them.
import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { pathToFileURL } from 'node:url';
import { BUILD, isRelease } from './build/stamps.mjs';
import { Refusal } from './steps.mjs';

/** @typedef {{ url?: string, token?: string, tokenFile?: string, region?: string, name?: string, allowHttp?: boolean }} Options */

/** Connections to these addresses stay on the machine, so they need no TLS. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** @param {Options} options */
function connection({ url = process.env.UPWATCH_URL, token, tokenFile, allowHttp = false }) {
  if (!url || !/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new Refusal('Set UPWATCH_URL or --url to the URL of your Upwatch, such as https://upwatch.example.com.');
  }
  const { protocol, hostname: host, origin } = new URL(url);
  if (protocol === 'http:' && !LOOPBACK.test(host) && !allowHttp) {
    throw new Refusal(`${origin} has no TLS, so the token could be read on the way. Use https://, or --allow-http.`);
  }
  if (tokenFile && !existsSync(tokenFile)) throw new Refusal(`${tokenFile} does not exist.`);
  const secret = (
    tokenFile ? readFileSync(tokenFile, 'utf8') : (token ?? process.env.UPWATCH_AGENT_TOKEN ?? '')
  ).trim();
  if (!/^uwa_[\w-]+$/.test(secret)) {
    throw new Refusal(
      'Set UPWATCH_AGENT_TOKEN or --token-file to an agent token of the team (under Settings, Agents).',
    );
  }
  return { url: origin, token: secret };
}

/** @param {Options} options */
export async function agent(options) {
  const path = `${BUILD}/agent.mjs`;
  if (!isRelease() && !existsSync(path)) {
    throw new Refusal('Upwatch is not built yet: run npm start, or npm run build.');
  }
  const given = connection(options);
  // The operator of the agent decides which targets it may connect to; those of its network by default.
  process.env.ALLOW_PRIVATE_TARGETS ??= 'true';
  process.title = 'upwatch-agent';
  /** @type {typeof import('../../server/agent/main')} */
  const { runAgent, Refused } = await import(pathToFileURL(path).href);
  const stop = new AbortController();
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) process.once(signal, () => stop.abort());
  const region = options.region === undefined ? null : `private/${options.region.replace(/^private\//, '')}`;
  const name = (options.name ?? hostname()).slice(0, 100) || 'agent';
  try {
    await runAgent({ ...given, region, name, signal: stop.signal });
  } catch (error) {
    if (error instanceof Refused) throw new Refusal(error.message);
    throw error;
  }
  // Threads and kept connections would hold the process open.
  process.exit();
}
