import { z } from 'zod';
import { isCron, isTimezone, MOST_CRON_CHARACTERS } from './cron';

const MOST_GRACE_SECONDS = 31 * 86_400;

/**
 * Pings are due every `intervalSeconds` of the monitor, or at the times of `cron` in `timezone` (default: UTC), and late after
 * `graceSeconds`. A run that sent a start ping must end within the same time. The server's `assertExpressions` decides
 * whether `cron` runs often enough.
 */
export const HeartbeatConfig = z
  .strictObject({
    graceSeconds: z.int().min(1).max(MOST_GRACE_SECONDS).default(60),
    cron: z.string().trim().max(MOST_CRON_CHARACTERS).optional(),
    timezone: z.string().trim().max(64).refine(isTimezone, 'Enter a time zone such as Europe/Berlin.').optional(),
    pingUrl: z
      .string()
      .optional()
      .meta({ description: 'The URL to ping. Set by the server; may be sent back unchanged.' }),
  })
  .superRefine(({ cron, timezone }, ctx) => {
    const issue = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message });
    if (timezone !== undefined && cron === undefined) issue('timezone', 'A time zone needs a cron schedule.');
    if (cron !== undefined && !isCron(cron))
      issue('cron', 'Enter a cron expression of five fields, such as 0 3 * * 1-5.');
  });
export type HeartbeatConfig = z.infer<typeof HeartbeatConfig>;
