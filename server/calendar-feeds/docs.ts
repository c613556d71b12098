import { at } from '@/server/trpc/examples';
import type { OperationDoc } from '@/server/trpc/operation-doc';

const feed = { id: '01KANZBS6T8V0W2X4Y6Z8A0B2C', kind: 'maintenance', scheduleId: null, createdAt: at };

export const calendarFeedDocs: Record<string, OperationDoc> = {
  'calendarFeeds.list': {
    id: 'listCalendarFeeds',
    alsoId: 'listOnCallFeeds',
    description: 'Returns your calendar feeds without their secret addresses.',
    answer: { feeds: [feed] },
  },
  'calendarFeeds.create': {
    id: 'createCalendarFeed',
    alsoId: 'createOnCallFeed',
    description:
      'Creates the secret address of an iCalendar feed. With `kind` set to `maintenance`, it has the maintenance windows of the team with their descriptions and monitors. With `on_call`, the default, it has the shifts of a schedule, or without `scheduleId` your own shifts in all schedules. Only this response shows it. It works until you revoke it or leave the team.',
    body: { kind: 'maintenance' },
    answer: { feed, url: 'https://status.example.com/api/maintenance/q1w2e3r4t5y6u7i8.ics' },
  },
  'calendarFeeds.delete': {
    id: 'revokeCalendarFeed',
    alsoId: 'revokeOnCallFeed',
    description: 'Revokes the address of a calendar feed of yours; it stops working at once.',
    answer: { ok: true },
  },
};
