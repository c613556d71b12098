import { z } from 'zod';
import { NoInput, operations, router, teamProcedure } from '@/server/trpc/procedures';
import { createFeed } from './create-feed';
import { deleteFeed } from './delete-feed';
import { listFeeds } from './queries';
import { CalendarFeed, CreateFeedInput } from './schema';

const readOwn = teamProcedure({ role: 'viewer', scope: 'read', isPersonal: true });
// Viewers too, because they can see shifts and maintenance.
const writeOwn = teamProcedure({ role: 'viewer', scope: 'write', isPersonal: true });

const rest = operations('Calendar feeds');
const all = '/api/v1/me/calendar-feeds';
const one = '/api/v1/me/calendar-feeds/{id}';
// The paths of the first version, which had on-call feeds only.
const alsoAll = '/api/v1/me/on-call-feeds';
const alsoOne = '/api/v1/me/on-call-feeds/{id}';

/** A member's own calendar feeds. */
export const calendarFeedsRouter = router({
  list: readOwn
    .meta(rest('GET', all, 'List your calendar feeds', { alsoAt: alsoAll }))
    .input(NoInput)
    .output(z.object({ feeds: z.array(CalendarFeed) }))
    .query(async ({ ctx }) => ({ feeds: await listFeeds(ctx) })),
  create: writeOwn
    .meta(
      rest('POST', all, 'Create a calendar feed', {
        errors: ['PLAN_LIMIT_REACHED', 'NOT_FOUND'],
        alsoAt: alsoAll,
        created: true,
      }),
    )
    .input(CreateFeedInput)
    .output(z.object({ feed: CalendarFeed, url: z.string() }))
    .mutation(({ ctx, input }) => createFeed({ ctx, input })),
  delete: writeOwn
    .meta(rest('DELETE', one, 'Revoke a calendar feed', { alsoAt: alsoOne }))
    .input(z.strictObject({ id: z.string() }))
    .output(z.object({ ok: z.literal(true) }))
    .mutation(({ ctx, input }) => deleteFeed({ ctx, input })),
});
