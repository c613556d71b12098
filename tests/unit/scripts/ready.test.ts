import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, vi } from 'vitest';
import { untilReady } from '@/scripts/lib/processes/ready.mjs';

it('waits for the web process if the clock is set ahead meanwhile', async () => {
  const { now } = Date;
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    // As on a machine whose clock is set from the network soon after its start.
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 86_400_000);
    response.writeHead(asked < 3 ? 503 : 200).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    await untilReady({ host: '127.0.0.1', port }, { ends: () => 0, isServing: () => true });
    expect(asked).toBe(3);
  } finally {
    server.close();
  }
});
