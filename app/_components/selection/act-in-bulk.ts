import { readApiError } from '@/app/_trpc/errors';
import type { BulkResult } from '@/server/lists/schema';
import { MOST_AT_ONCE } from '@/server/lists/values';

interface Identified {
  id: string;
}

export interface Refused<Row> {
  row: Row;
  message: string;
  /** Whether a retry may succeed, because the call failed before the row was processed. */
  canRetry: boolean;
}

/** The result of a bulk action. */
export interface BulkOutcome<Row> {
  done: Row[];
  unchanged: Row[];
  refused: Refused<Row>[];
}

/**
 * Runs an action on rows in sequential calls of at most 100. If a call fails, its rows and all following ones are refused with its error.
 * @param act calls the server for these IDs
 */
export async function actInBulk<Row extends Identified>(
  rows: readonly Row[],
  act: (ids: string[]) => Promise<{ results: BulkResult[] }>,
): Promise<BulkOutcome<Row>> {
  const outcome: BulkOutcome<Row> = { done: [], unchanged: [], refused: [] };
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (let from = 0; from < rows.length; from += MOST_AT_ONCE) {
    try {
      const { results } = await act(rows.slice(from, from + MOST_AT_ONCE).map(({ id }) => id));
      for (const { id, outcome: kind, error } of results) {
        const row = byId.get(id);
        if (!row) continue;
        if (kind === 'refused') outcome.refused.push({ row, message: error?.message ?? '', canRetry: false });
        else outcome[kind].push(row);
      }
    } catch (error) {
      const { message } = readApiError(error);
      outcome.refused.push(...rows.slice(from).map((row) => ({ row, message, canRetry: true })));
      break;
    }
  }
  return outcome;
}

const MOST_NAMED = 5;

/** The reasons for refused rows, each once with the names of its rows. */
export function refusalLines<Row>(refused: readonly Refused<Row>[], nameOf: (row: Row) => string): string[] {
  const byMessage = new Map<string, string[]>();
  for (const { row, message } of refused) byMessage.set(message, [...(byMessage.get(message) ?? []), nameOf(row)]);
  return [...byMessage].map(([message, names]) => {
    const more = names.length - MOST_NAMED;
    const shown = more > 1 ? [...names.slice(0, MOST_NAMED), `${more} more`] : names;
    return `${new Intl.ListFormat('en').format(shown)}: ${message}`;
  });
}
