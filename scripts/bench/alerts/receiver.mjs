// @ts-check
// Receives alerts in its own process, and records each with its time of arrival. Its responses satisfy every channel type of the bench.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/** @type {import('../alerts.mjs').Received[]} */
let received = [];
let count = 0;

const server = createServer(async (request, response) => {
  const at = Date.now();
  const body = await text(request);
  count += 1;
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ ok: true, result: { message_id: count } }));
  received.push({ at, path: request.url ?? '', body });
});
server.listen(0, '127.0.0.1', 4096, () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  process.send?.({ url: `http://127.0.0.1:${port}` });
});

process.on('message', () => {
  process.send?.(received);
  received = [];
});
process.on('disconnect', () => process.exit());
