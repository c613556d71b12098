import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createTRPCClient } from '@trpc/client';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { TRPCProvider } from '@/app/_trpc/client';
import { AcknowledgeIncidents } from '@/app/(site)/acknowledge/[token]/_components/acknowledge-incidents';
import type { LinkedIncident } from '@/app/(site)/acknowledge/[token]/_components/linked-incidents';

const incident = (title: string, changes: Partial<LinkedIncident> = {}): LinkedIncident => ({
  title,
  monitorNames: [],
  status: 'open',
  startedAt: '2026-11-23T02:06:42.000Z',
  acknowledgedBy: null,
  isReopened: false,
  ...changes,
});

/** The page of a link to incidents, as the server renders it: each text of an element on its own line. */
function pageOf(...incidents: LinkedIncident[]): string {
  const queries = new QueryClient();
  const html = renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <TRPCProvider trpcClient={createTRPCClient({ links: [] })} queryClient={queries}>
        <AcknowledgeIncidents token="t" initial={{ teamName: 'Northwind', incidents }} />
      </TRPCProvider>
    </QueryClientProvider>,
  );
  return html.replace(/<[^>]+>/g, '\n').replace(/\n+/g, '\n');
}

const acknowledged = { status: 'acknowledged', acknowledgedBy: 'Mara' } as const;

describe('the page of a link to several incidents', () => {
  it('lists all of them, and asks to acknowledge those that are open', () => {
    const page = pageOf(
      incident('Shop is down', { monitorNames: ['Shop', 'Cart'] }),
      incident('Mail is slow'),
      incident('API is down', acknowledged),
    );
    expect(page).toContain('\nAcknowledge 2 incidents?\n');
    expect(page).toContain('Tells Northwind that you are working on them.');
    for (const title of ['Shop is down', 'Mail is slow', 'API is down']) expect(page).toContain(`\n${title}\n`);
    expect(page).toContain('Cart · ');
    expect(page).toContain(' · by Mara');
    expect(page).toContain('\nAcknowledge\n');
  });

  it('counts one open incident beside others as one', () => {
    const page = pageOf(incident('Shop is down'), incident('API is down', acknowledged));
    expect(page).toContain('\nAcknowledge 1 incident?\n');
    expect(page).toContain('working on it.');
  });

  it.each([
    ['acknowledged', [acknowledged, acknowledged], 'Incidents acknowledged', 'Nothing here waits to be acknowledged.'],
    ['resolved', [{ status: 'resolved' }, { status: 'resolved' }], 'Incidents resolved', 'Nothing here waits'],
    ['reopened', [{ isReopened: true }, acknowledged], 'Incidents reopened', 'the link in its latest message'],
  ] satisfies [string, Partial<LinkedIncident>[], string, string][])(
    'has no button when they were %s',
    (_state, changes, title, note) => {
      const page = pageOf(...changes.map((each, index) => incident(`Incident ${index}`, each)));
      expect(page).toContain(`\n${title}\n`);
      expect(page).toContain(note);
      expect(page).not.toContain('\nAcknowledge\n');
    },
  );
});
