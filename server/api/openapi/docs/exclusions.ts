import type { OperationDoc } from '../types';
import { monitorId, page } from './examples';

const stretch = { from: '2026-11-19T22:00:00.000Z', to: '2026-11-19T23:30:00.000Z', reason: 'Announced fire drill' };
const exclusion = {
  id: '01KANZ9E6F8G0H2J4K6M8N0P2Q',
  monitorId,
  ...stretch,
  author: 'Kim',
  createdAt: '2026-11-20T03:07:12.000Z',
};

export const exclusionDocs: Record<string, OperationDoc> = {
  'exclusions.list': {
    id: 'listExclusions',
    description: 'What somebody took out of its uptime, with who and why. Newest entry first.',
    answer: { exclusions: [exclusion], ...page },
  },
  'exclusions.create': {
    id: 'createExclusion',
    description:
      'The stretch counts as neither up nor down, at once and wherever uptime is shown. It must be over; what is to come is a maintenance window. Where stretches overlap, their time is excluded once. A monitor has 1,000 at most.',
    body: stretch,
    answer: { exclusion },
  },
  'exclusions.delete': {
    id: 'deleteExclusion',
    description: 'The stretch counts again as what it was.',
    answer: { ok: true },
  },
};
