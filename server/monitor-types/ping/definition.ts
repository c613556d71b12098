import { z } from 'zod';
import { Confirm, Host, TimeoutMs } from '../config/confirm';
import { UpsideDown, upsideDownField } from '../config/upside-down';
import type { TypeDefinition } from '../definition';

/** The time between two packets. */
export const PACKET_INTERVAL_MS = 200;

/** Sends `packetCount` echo requests, of which at most `maxLossPercent` may be lost. */
export const PingConfig = z
  .strictObject({
    host: Host,
    packetCount: z.int().min(1).max(20).default(3),
    maxLossPercent: z.int().min(0).max(99).default(0),
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
      upsideDown: upsideDownField,
    },
  },
  secrets: {},
  componentName: 'Server',
  target: ({ host }) => host,
  request: ({ host }) => `ping ${host}`,
  endpoints: ({ host }) => [['host', host]],
  limitKey: ({ host }) => host.toLowerCase(),
} satisfies TypeDefinition<PingConfig>;
