import { TRPCClientError } from '@trpc/client';
import { expect, it } from 'vitest';
import { actInBulk, refusalLines } from '@/app/_components/selection/act-in-bulk';
import { startMaintenanceOfAll } from '@/app/(dashboard)/(team)/monitors/_components/start-maintenance';

const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `${index}`, name: `Row ${index}` }));
const done = (ids: string[]) => ({ results: ids.map((id) => ({ id, outcome: 'done' as const, error: null })) });
const nameOf = ({ name }: { name: string }) => name;

/** An error as the tRPC client throws it. */
function apiError(message: string, paths: string[] = []): Error {
  const error = { code: 'VALIDATION_ERROR', message, status: 400, issues: paths.map((path) => ({ path, message })) };
  return TRPCClientError.from({ error: { message, code: -32600, data: { error } } });
}

it('sends at most 100 rows in one call, each row once', async () => {
  const sent: string[][] = [];
  const outcome = await actInBulk(rows(250), async (ids) => {
    sent.push(ids);
    return done(ids);
  });
  expect(sent.map((ids) => ids.length)).toEqual([100, 100, 50]);
  expect(new Set(sent.flat()).size).toBe(250);
  expect(outcome.done).toEqual(rows(250));
});

it('separates what was done, what was so before, and what was refused', async () => {
  const [first, second, third] = rows(3);
  const outcome = await actInBulk(rows(3), async () => ({
    results: [
      { id: '0', outcome: 'done', error: null },
      { id: '1', outcome: 'unchanged', error: null },
      { id: '2', outcome: 'refused', error: { code: 'NOT_FOUND', message: 'There is no such monitor.' } },
    ],
  }));
  expect(outcome).toEqual({
    done: [first],
    unchanged: [second],
    refused: [{ row: third, message: 'There is no such monitor.', canRetry: false }],
  });
});

it('keeps the results of earlier calls if a later one fails, and names all rows that were not sent', async () => {
  let calls = 0;
  const outcome = await actInBulk(rows(250), async (ids) => {
    calls += 1;
    if (calls === 2) throw apiError('Too many requests.');
    return done(ids);
  });
  expect(calls).toBe(2);
  expect(outcome.done).toHaveLength(100);
  expect(outcome.refused).toHaveLength(150);
  expect(outcome.refused[0]).toMatchObject({ message: 'Too many requests.', canRetry: true });
});

it('says each reason once, with at most five names', () => {
  const refused = rows(8).map((row, index) => ({
    row,
    message: index === 0 ? 'It is gone.' : 'It is resolved.',
    canRetry: false,
  }));
  expect(refusalLines(refused, nameOf)).toEqual([
    'Row 0: It is gone.',
    'Row 1, Row 2, Row 3, Row 4, Row 5, and 2 more: It is resolved.',
  ]);
});

it('starts maintenance without the monitors that were deleted meanwhile', async () => {
  const started: string[][] = [];
  const outcome = await startMaintenanceOfAll(rows(4), async (some) => {
    started.push(some.map(({ id }) => id));
    if (started.length === 1)
      throw apiError('There is no such monitor in this team.', ['monitorIds.1', 'monitorIds.3']);
    return { maintenanceWindow: { id: 'window' } };
  });
  expect(started).toEqual([
    ['0', '1', '2', '3'],
    ['0', '2'],
  ]);
  expect(outcome.windowId).toBe('window');
  expect(outcome.done.map(nameOf)).toEqual(['Row 0', 'Row 2']);
  expect(outcome.refused.map(({ row, canRetry }) => [row.name, canRetry])).toEqual([
    ['Row 1', false],
    ['Row 3', false],
  ]);
});

it('refuses all monitors if maintenance cannot start at all', async () => {
  const outcome = await startMaintenanceOfAll(rows(2), async () => {
    throw apiError('The plan has no more windows.');
  });
  expect(outcome).toMatchObject({ done: [], windowId: null });
  expect(outcome.refused.map(({ canRetry }) => canRetry)).toEqual([true, true]);
});
