/** How a message is framed is the connection's business, not a monitor's. */
const FRAMING = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** A monitor's own headers as they are sent: names in lower case, without those that frame the message. */
export function ownHeaders(headers: Record<string, string>): Record<string, string> {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(own.filter(([name]) => !FRAMING.has(name)));
}
