import { z } from 'zod';
import { Confirm, Host, TimeoutMs } from '../config/confirm';
import { UpsideDown, upsideDownField } from '../config/upside-down';
import type { TypeDefinition } from '../definition';

/** The time between two packets. */
export const PACKET_INTERVAL_MS = 200;

/** Sends `packetCount` echo requests, of which at most `maxLossPercent` may be lost, and whose mean round trip may take `maxRoundTripMs`. */
export const PingConfig = z
  .strictObject({
    host: Host,
    packetCount: z.int().min(1).max(20).default(3),
    maxLossPercent: z.int().min(0).max(99).default(0),
    packetBytes: z.int().min(16).max(1_472).optional().meta({
      description:
        'The bytes of data in each packet. Unset: the default of the system, usually 56. 1,472 fill a packet of Ethernet over IPv4.',
    }),
    maxRoundTripMs: z.int().min(1).max(60_000).optional().meta({
      description:
        'The maximum mean round trip of the answered packets, in milliseconds; above it, the monitor is down. Unset: no maximum.',
    }),
    timeoutMs: TimeoutMs,
    upsideDown: UpsideDown,
    confirm: Confirm,
  })
  .superRefine(({ packetCount, timeoutMs }, ctx) => {
    // The last packet needs time to return, too.
    const least = packetCount * PACKET_INTERVAL_MS;
    if (timeoutMs >= least) return;
    ctx.addIssue({ code: 'custom', path: ['timeoutMs'], message: `At least ${least} ms for ${packetCount} packets.` });
  });
export type PingConfig = z.infer<typeof PingConfig>;

export const ping = {
  schema: PingConfig,
  form: {
    label: 'Ping',
    note: 'Loss and round trip',
    upWhen: 'Enough packets return within the timeout.',
    advanced: 'Packet size, confirmation',
    suggestName: ({ host }) => host,
    fields: {
      host: { label: 'Host', kind: 'text', group: 'target', placeholder: 'gateway.northwind.example' },
      packetCount: { label: 'Packets', kind: 'number', group: 'expected', width: 'half' },
      maxLossPercent: {
        label: 'Maximum packet loss',
        kind: 'number',
        group: 'expected',
        width: 'half',
        help: 'In percent.',
      },
      maxRoundTripMs: {
        label: 'Maximum round trip',
        kind: 'duration',
        group: 'expected',
        optional: true,
        placeholder: '200 ms',
        help: 'Mean of the answered packets.',
      },
      upsideDown: upsideDownField,
      packetBytes: {
        label: 'Packet size',
        kind: 'number',
        group: 'advanced',
        optional: true,
        placeholder: '56',
        help: 'Bytes of data, from 16 to 1472. Default: that of the system.',
      },
    },
  },
  secrets: {},
  target: ({ host }) => host,
  request: ({ host }) => `ping ${host}`,
  endpoints: ({ host }) => [['host', host]],
  limitKey: ({ host }) => host.toLowerCase(),
} satisfies TypeDefinition<PingConfig>;
