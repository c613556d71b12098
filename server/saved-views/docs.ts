import { at } from '@/server/trpc/examples';
import type { OperationDoc } from '@/server/trpc/operation-doc';

const named = { name: 'Payments', query: 'tag=payments&sort=p95', isDefault: true };
const savedView = { id: '01KANZBS6T8V0W2X4Y6Z8A0B2D', ...named, createdAt: at, updatedAt: at };

export const savedViewDocs: Record<string, OperationDoc> = {
  'savedViews.list': {
    id: 'listSavedViews',
    description: "Returns the team's views of its list of monitors, oldest first.",
    answer: { savedViews: [savedView] },
  },
  'savedViews.create': {
    id: 'createSavedView',
    description:
      'Saves a view of the list of monitors for the team, which shows it as a tab. `query` has the search parameters of the list in the dashboard: `status`, `q`, `type`, `tag`, `region`, `channel`, `parent`, `sort`, `group`, `density` and `hide`. The list opens with the default view; a new one replaces the former. A team can have 20.',
    body: named,
    answer: { savedView },
  },
  'savedViews.update': {
    id: 'updateSavedView',
    description: 'Changes a saved view. Omitted fields keep their values.',
    body: { name: 'Payments, slowest first' },
    answer: { savedView: { ...savedView, name: 'Payments, slowest first' } },
  },
  'savedViews.delete': {
    id: 'deleteSavedView',
    description: 'Deletes a saved view. The monitors that it shows stay as they are.',
    answer: { ok: true },
  },
};
