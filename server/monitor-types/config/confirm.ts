import { z } from 'zod';

/**
 * The defaults for monitors whose config does not set the confirmation. Chosen by replay (`npm run bench -- verdicts`). A config stores only what
 * somebody set, so a change here applies to all other monitors; `note-defaults.ts` writes it to their audit logs.
 */
export const CONFIRM_DEFAULTS = { failures: 3, recoveries: 4, retryDelayMs: 10_000, degraded: 7 };

const { failures, recoveries, retryDelayMs, degraded } = CONFIRM_DEFAULTS;
const count = () => z.int().min(1).max(10).optional();

/** Confirmation of a change: failing checks until down, passing ones in a row until up, and the time from the start of one to the next. */
const Rechecks = z.strictObject({
  failures: count().describe(
    `The number of failing checks until down. Unset: ${failures}; they must last twice as long if failing checks without a downtime were frequent in the last weeks; otherwise one that waits at least 9 s for the target counts as two, except the first.`,
  ),
  recoveries: count().describe(`The number of passing checks in a row until up. Unset: ${recoveries}.`),
  retryDelayMs: z.int().min(100).max(60_000).optional().describe(`The time between rechecks. Unset: ${retryDelayMs}.`),
});
export const Confirm = Rechecks.prefault({});

/**
 * Confirmation for types that can be degraded: also the number of slow checks in a row that make a monitor degraded, and of clearly fast ones that
 * end it.
 */
export const SpeedConfirm = Rechecks.extend({
  degraded: count().describe(`The number of slow checks in a row until degraded. Unset: ${degraded}.`),
}).prefault({});

/** Returns the confirmation that a config sets, with the defaults for the rest. */
export function effectiveConfirm(set: object = {}): typeof CONFIRM_DEFAULTS {
  return { ...CONFIRM_DEFAULTS, ...set };
}

/** The timeout of one check, in milliseconds. */
export const TimeoutMs = z.int().min(100).max(60_000).default(10_000);

/** A host name (RFC 1123, underscores tolerated) or an IP address, without brackets. */
export const Host = z
  .string()
  .trim()
  .min(1, 'Enter a host name or IP address.')
  .max(253)
  .regex(/^[A-Za-z0-9._:-]+$/, 'Enter a valid host name or IP address.');

export const Port = z.int().min(1).max(65_535);
