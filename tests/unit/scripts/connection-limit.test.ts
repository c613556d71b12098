import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { limitConnections } from '@/scripts/lib/web/connection-limit.mjs';
import { networkOf } from '@/server/platform/caller-network';
import { until } from '@/tests/support/receivers';

async function served(isTrusted: (address: string) => boolean) {
  const server = createServer((_request, response) => void response.end());
  limitConnections(server, { most: 3, networkOf, isTrusted });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function connections(port: number, count: number, localAddress: string): Socket[] {
  return Array.from({ length: count }, () => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    return socket.on('error', () => undefined).resume();
  });
}

const isOpen = ({ destroyed, readyState }: Socket) => !destroyed && readyState === 'open';
const openOf = (sockets: Socket[]) => sockets.filter(isOpen).length;

it.runIf(process.platform === 'linux')(
  'closes the connections of a network beyond its limit, until others end',
  async () => {
    const port = await served(() => false);
    const many = connections(port, 10, '127.0.0.2');
    await until(() => many.filter(({ closed }) => closed).length === 7, 5_000, 'Closed connections');
    const others = connections(port, 3, '127.0.0.3');
    await until(() => openOf(others) === 3, 5_000, 'Connections of another network');
    many.find(isOpen)?.destroy();
    await until(
      async () => {
        const [next] = connections(port, 1, '127.0.0.2');
        await new Promise((resolve) => setTimeout(resolve, 50));
        return next !== undefined && isOpen(next);
      },
      5_000,
      'Another connection',
    );
  },
);

it.runIf(process.platform === 'linux')('does not limit trusted proxies', async () => {
  const port = await served((address) => address === '127.0.0.2');
  const many = connections(port, 10, '127.0.0.2');
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(openOf(many)).toBe(10);
});
