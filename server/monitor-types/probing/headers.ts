/** Headers that belong to the connection, not to a monitor. */
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

/** Returns a monitor's own headers as sent: names in lower case, without framing headers. */
export function ownHeaders(headers: Record<string, string>): Record<string, string> {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(own.filter(([name]) => !FRAMING.has(name)));
}
