import { isIP } from 'node:net';

/** A name server's IP address, with its interface if it is link-local ("fe80::1%eth0"), and its port. */
export interface ServerAddress {
  address: string;
  port: number;
}

const PORT = 53;

/** Parses "192.0.2.53", "192.0.2.53:5353", "2001:db8::53" or "[2001:db8::53]:5353"; null for anything else. */
export function parseServerAddress(text: string): ServerAddress | null {
  if (isIP(text) !== 0) return { address: text, port: PORT };
  const [, bracketed, plain = '', port = String(PORT)] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const address = bracketed ?? plain;
  const isAddress = isIP(address) === (bracketed === undefined ? 4 : 6);
  const number = Number(port);
  return isAddress && number >= 1 && number <= 65_535 ? { address, port: number } : null;
}
