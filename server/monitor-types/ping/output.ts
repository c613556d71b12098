/** The number of packets sent and of replies received. */
export interface Packets {
  sent: number;
  received: number;
}

export interface PingSummary extends Packets {
  /** Mean round-trip time in milliseconds; null without a reply. */
  averageMs: number | null;
}

/** Parses the summary of `ping` from iputils, BusyBox, macOS and the BSDs; null without one. */
export function parsePing(output: string): PingSummary | null {
  const [, sent, received] = /(\d{1,9}) packets transmitted, (\d{1,9})(?: packets)? received/.exec(output) ?? [];
  if (sent === undefined || received === undefined) return null;
  const [, average] = /(?:rtt|round-trip) min\/avg\/max\S* = [\d.]+\/([\d.]+)\//.exec(output) ?? [];
  return {
    sent: Number(sent),
    // Duplicate replies do not count.
    received: Math.min(Number(received), Number(sent)),
    averageMs: average === undefined ? null : Number(average),
  };
}

const CAUSES: [RegExp, string][] = [
  [
    /not permitted|permission denied|lacking privilege/i,
    'ping may not run here: it lacks the right to open ICMP sockets',
  ],
  [/network (is )?unreachable|no route to host|cannot assign requested/i, 'This machine has no route to that network'],
  [/address family/i, 'ping of this machine does not know this family of addresses'],
  [/usage:|(invalid|unrecognized|unknown) option/i, 'ping of this machine does not know the options it was given'],
];

/** Returns why `ping` could not run, by its exit code (`env` returns 126 and 127) and its stderr. */
export function pingFault(exitCode: number | null, stderr: string): string {
  if (exitCode === 127) return 'The ping command is not installed on the machine that runs the check';
  if (exitCode === 126) return 'ping may not run here';
  const known = CAUSES.find(([pattern]) => pattern.test(stderr));
  if (known) return known[1];
  const said = stderr.trim().split('\n')[0]?.slice(0, 200);
  return said ? `ping could not be run: ${said}` : 'ping could not be run';
}
