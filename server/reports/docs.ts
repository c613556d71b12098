import { at, monitorId } from '@/server/trpc/examples';
import type { OperationDoc } from '@/server/trpc/operation-doc';

const figures = {
  ratio: 0.99957,
  upSeconds: 1_653_841,
  downSeconds: 711,
  maintenanceSeconds: 3600,
  unknownSeconds: 0,
  excludedSeconds: 0,
  budgetSeconds: 1654.552,
  leftSeconds: 943.552,
  burnRate: 0.42972357,
  p50Ms: 141,
  p95Ms: 212,
};

export const reportDocs: Record<string, OperationDoc> = {
  'reports.get': {
    id: 'getReport',
    description:
      'Returns the uptime of monitors in whole days (UTC) against an objective, with the error budget that is left, and percentiles of their response time. The budget is the downtime that the objective allows in the time of known status; maintenance, unknown, paused and excluded time counts as neither. `burnRate` is the downtime divided by the budget. A report covers at most 366 days and 500 monitors; `missing` counts those of `monitorIds` that the team does not have.',
    params: { firstDay: '2026-11-01', lastDay: '2026-11-20' },
    answer: {
      from: '2026-11-01T00:00:00.000Z',
      to: at,
      objective: 99.9,
      overall: figures,
      monitors: [{ id: monitorId, name: 'Shop', type: 'http', ...figures }],
      isComplete: true,
      missing: 0,
    },
  },
};
