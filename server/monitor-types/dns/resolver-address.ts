import { z } from 'zod';

const isAddress = (text: string) => z.ipv4().safeParse(text).success || z.ipv6().safeParse(text).success;

/** Parses the address of a name server: "192.0.2.1", "192.0.2.1:5353", "2001:db8::1" or "[2001:db8::1]:5353". Null for anything else. */
export function parseResolver(text: string): { address: string; port: number } | null {
  if (isAddress(text)) return { address: text, port: 53 };
  const [, bracketed, plain, port = '53'] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? '';
  const number = Number(port);
  return isAddress(address) && number >= 1 && number <= 65_535 ? { address, port: number } : null;
}
