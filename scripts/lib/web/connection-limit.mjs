// @ts-check

/**
 * Closes new connections of a network that has too many, because each takes a file descriptor and memory for as long as its client likes. Trusted
 * proxies have any number.
 * @param {import('node:http').Server} server
 * @param {{ most: number, networkOf: (address: string) => string, isTrusted: (address: string) => boolean }} options
 */
export function limitConnections(server, { most, networkOf, isTrusted }) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  server.on('connection', (/** @type {import('node:net').Socket} */ socket) => {
    const { remoteAddress: address = '' } = socket;
    if (isTrusted(address)) return;
    const network = networkOf(address);
    const count = (counts.get(network) ?? 0) + 1;
    if (count > most) return void socket.destroy();
    counts.set(network, count);
    socket.once('close', () => {
      const left = (counts.get(network) ?? 1) - 1;
      if (left > 0) counts.set(network, left);
      else counts.delete(network);
    });
  });
}
