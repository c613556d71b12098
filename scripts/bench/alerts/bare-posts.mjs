// @ts-check
// The minimum time of the same messages: Node's http.request posts them all at once, with as many connections to a channel as a worker has.
import http from 'node:http';

const CONNECTIONS = 100;

/** @type {Map<string, http.Agent>} */
const agents = new Map();

/** @param {string} channel */
function agentOf(channel) {
  const agent = agents.get(channel) ?? new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  agents.set(channel, agent);
  return agent;
}

/** @param {{ channel: string, url: string, body: string }} message */
const post = ({ channel, url, body }) =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const request = http.request(url, { method: 'POST', headers, agent: agentOf(channel) }, (response) => {
      response.resume();
      response.once('end', () => resolve(null));
    });
    request.once('error', reject);
    request.end(body);
  });

process.on('message', async (/** @type {{ channel: string, url: string, body: string }[]} */ messages) => {
  const began = Date.now();
  await Promise.all(messages.map(post));
  process.send?.(began);
});
process.on('disconnect', () => process.exit());
