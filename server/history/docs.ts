import { at, monitorId, page } from '@/server/trpc/examples';
import type { OperationDoc } from '@/server/trpc/operation-doc';

const stretch = { from: '2026-11-19T22:00:00.000Z', to: '2026-11-19T23:30:00.000Z', reason: 'Planned failover test' };
const exclusion = {
  id: '01KANZ9E6F8G0H2J4K6M8N0P2Q',
  monitorId,
  ...stretch,
  author: 'Kim',
  createdAt: at,
};

export const exclusionDocs: Record<string, OperationDoc> = {
  'exclusions.list': {
    id: 'listExclusions',
    description: "Returns the time ranges excluded from the monitor's uptime, with author and reason, newest first.",
    answer: { exclusions: [exclusion], ...page },
  },
  'exclusions.create': {
    id: 'createExclusion',
    description:
      'Excludes a time range, which then counts as neither up nor down in all uptime figures. The range must be in the past; for future work, create a maintenance window. Overlapping exclusions count once. A monitor can have up to 1,000 exclusions, a team up to 10,000.',
    body: stretch,
    answer: { exclusion },
  },
  'exclusions.delete': {
    id: 'deleteExclusion',
    description: 'Removes an exclusion. Its time counts towards uptime again.',
    answer: { ok: true },
  },
};
