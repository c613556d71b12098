import { describe, expect, it } from 'vitest';
import { deletionText } from '@/app/(dashboard)/(team)/status-pages/_components/deletion-text';
import type { IncidentListRow } from '@/server/incidents/schema';

const incident = (title: string, status: IncidentListRow['status']) =>
  ({ title, status, type: 'manual', monitorName: null }) as IncidentListRow;
const open = incident('Calls drop', 'open');
const over = incident('Calls were late', 'resolved');

describe('the incidents that name a component to be deleted', () => {
  it.each([
    [undefined, undefined, 'Loading affected incidents…'],
    [[], { open: 0, acknowledged: 0, resolved: 0 }, 'No incidents are affected.'],
    [
      [open],
      { open: 1, acknowledged: 0, resolved: 0 },
      'It is removed from an incident, which is kept: “Calls drop” (open).',
    ],
    [
      [open, over],
      { open: 1, acknowledged: 0, resolved: 1 },
      'It is removed from 2 incidents, which are kept: “Calls drop” (open) and “Calls were late” (resolved).',
    ],
    [
      [open, over],
      { open: 1, acknowledged: 4, resolved: 2 },
      'It is removed from 7 incidents, which are kept: “Calls drop” (open), “Calls were late” (resolved), and 5 more.',
    ],
  ])('names incidents of a component to be deleted, and counts the others: %j', (incidents, counts, text) => {
    expect(deletionText(incidents, counts)).toBe(text);
  });
});
