// @ts-check
// The target: a web server with one short page, in its own process. `{ status }` sets the status of its responses; a POST is a webhook, recorded with
// its time of arrival. `{ ask }` returns what it received so far.
import { createServer } from 'node:http';

let status = 200;
/** @type {{ at: number, startedAt: string, monitorId: string }[]} */
let received = [];
const counts = { connections: 0, requests: 0 };

const server = createServer((request, response) => {
  counts.requests += 1;
  if (request.method !== 'POST') return response.writeHead(status, { 'content-type': 'text/plain' }).end('ok\n');
  const at = Date.now();
  let body = '';
  request.on('data', (part) => {
    body += part;
  });
  request.on('end', () => {
    response.end();
    const { startedAt, monitorId } = JSON.parse(body).data.incident;
    received.push({ at, startedAt, monitorId });
  });
});
server.on('connection', () => {
  counts.connections += 1;
});
server.listen(0, '127.0.0.1', 4096, () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  process.send?.({ url: `http://127.0.0.1:${port}/` });
});

process.on('message', (/** @type {{ status?: number, ask?: 'received' | 'counts' }} */ order) => {
  if (order.status) status = order.status;
  if (order.ask === 'counts') process.send?.({ ...counts });
  if (order.ask === 'received') {
    process.send?.(received);
    received = [];
  }
});
process.on('disconnect', () => process.exit());
