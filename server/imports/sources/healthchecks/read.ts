import { digest, toPeriod } from '../../convert/conversion';
import { listIn, numberOf, type Row, textOf } from '../../convert/rows';
import { cut, type DraftBuilder, toTags } from '../../draft';

const OTHER = 'This file is not a list of checks of Healthchecks: it has no checks.';
const DEFAULT_SECONDS = 86_400;
const DEFAULT_GRACE_SECONDS = 3_600;

/** Returns the key of a check. Uses a hash, because whoever knows the UUID of a check can ping it. */
function keyOf(row: Row): string {
  const address = textOf(row, 'update_url') || textOf(row, 'ping_url');
  const id =
    /[0-9a-f-]{36}/.exec(address)?.[0] ?? (textOf(row, 'unique_key') || textOf(row, 'slug') || textOf(row, 'name'));
  return digest(id);
}

function notesOf(row: Row): string[] {
  const notes = ['It has a new ping URL. Update the job that pings it.'];
  const hasKeywords = ['success_kw', 'failure_kw', 'start_kw', 'subject', 'subject_fail'].some(
    (name) => textOf(row, name) !== '',
  );
  if (hasKeywords) notes.push('Keywords of emails are not carried over.');
  if (textOf(row, 'methods') !== '') notes.push('Pings by GET and HEAD count, too.');
  return notes;
}

/** Converts the schedule of a check: a cron expression with its time zone, or a period. */
function scheduleOf(row: Row, notes: string[]) {
  const graceSeconds = numberOf(row, 'grace') ?? DEFAULT_GRACE_SECONDS;
  const cron = textOf(row, 'schedule');
  if (cron === '') {
    const period = toPeriod(numberOf(row, 'timeout') ?? DEFAULT_SECONDS, graceSeconds, notes);
    return { config: { graceSeconds: period.graceSeconds }, intervalSeconds: period.intervalSeconds };
  }
  return { config: { graceSeconds, cron, timezone: textOf(row, 'tz') || 'UTC' } };
}

/** Reads the checks of a project of Healthchecks, as its API (version 1 to 3) lists them. */
export function readHealthchecks(file: Buffer, builder: DraftBuilder): void {
  const checks = listIn(file, 'checks', OTHER);
  builder.draft.instance = keyOf(checks[0] ?? {}).slice(0, 12);
  for (const row of checks) {
    const name = cut(textOf(row, 'name') || textOf(row, 'slug'), 120) || 'Check';
    builder.addMonitor({ key: keyOf(row), name, from: textOf(row, 'schedule') === '' ? 'period' : 'cron' }, () => {
      const notes = notesOf(row);
      const tags = toTags(textOf(row, 'tags').split(/\s+/));
      const input = {
        type: 'heartbeat',
        name,
        tags,
        ...scheduleOf(row, notes),
        isActive: textOf(row, 'status') !== 'paused',
      };
      return { input, notes };
    });
  }
  builder.draft.notes.push('Integrations are not in the file: each monitor alerts all channels of the team.');
  builder.draft.notes.push('Descriptions and past pings are not carried over.');
}
