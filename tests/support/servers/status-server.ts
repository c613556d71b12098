import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRenderer } from '@/app/status/bundle';
import { StatusServer } from '@/server/api/status-server/server';
import { followChanges, type Snapshots, snapshots } from '@/server/status-pages/snapshots/snapshots';

const bytes = (text: string) => new TextEncoder().encode(text);

/** Serves the public status pages as the web process does, on its own port. */
export async function startStatusServer(
  own: Snapshots = snapshots(),
): Promise<{ url: string; close: () => Promise<void> }> {
  const files = { style: bytes('body{}'.repeat(300)), script: bytes('let page;'), font: bytes('font') };
  const status = new StatusServer(own, createRenderer(files));
  const server = createServer((request, response) => void status.answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endFollowing = await followChanges(own);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      endFollowing();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
