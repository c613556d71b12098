import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Line {
  /** The target's URL through this proxy. */
  url: string;
  /** `cut`: connections are closed at once. `dead`: they are accepted and never answered. */
  set(state: 'up' | 'cut' | 'dead'): void;
  close(): Promise<void>;
}

/** A TCP proxy to a service on this machine that can be interrupted and restored. */
export async function startLine(target: string): Promise<Line> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let state: 'up' | 'cut' | 'dead' = 'up';

  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };

  const server = createServer((socket) => {
    keep(socket);
    if (state === 'cut') return void socket.destroy();
    if (state === 'dead') return;
    const onward = connect({ host: hostname, port: Number(port) });
    keep(onward);
    socket.pipe(onward).pipe(socket);
    socket.on('close', () => onward.destroy());
    onward.on('close', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set(next) {
      state = next;
      endAll();
    },
    async close() {
      endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
