import { authDocs } from '@/server/account/docs';
import { adminDocs } from '@/server/admin/docs';
import { agentDocs } from '@/server/agents/docs';
import { apiKeyDocs } from '@/server/api-keys/docs';
import { auditDocs } from '@/server/audit/docs';
import { billingDocs } from '@/server/billing/docs';
import { calendarFeedDocs } from '@/server/calendar-feeds/docs';
import { exclusionDocs } from '@/server/history/docs';
import { importDocs } from '@/server/imports/docs';
import { incidentDocs } from '@/server/incidents/docs';
import { maintenanceDocs } from '@/server/maintenance/docs';
import { monitorDocs } from '@/server/monitors/docs';
import { channelDocs } from '@/server/notifications/docs';
import { onCallDocs } from '@/server/on-call/docs';
import { reportDocs } from '@/server/reports/docs';
import { savedViewDocs } from '@/server/saved-views/docs';
import { statusPageDocs } from '@/server/status-pages/docs';
import { summaryDocs } from '@/server/summaries/docs';
import { teamDocs } from '@/server/teams/docs';
import type { OperationDoc } from '@/server/trpc/operation-doc';

/** The description of every operation, by the name of its procedure. */
export const operationDocs: Record<string, OperationDoc> = {
  ...monitorDocs,
  ...savedViewDocs,
  ...reportDocs,
  ...exclusionDocs,
  ...incidentDocs,
  ...maintenanceDocs,
  ...channelDocs,
  ...onCallDocs,
  ...calendarFeedDocs,
  ...importDocs,
  ...authDocs,
  ...agentDocs,
  ...apiKeyDocs,
  ...teamDocs,
  ...summaryDocs,
  ...statusPageDocs,
  ...auditDocs,
  ...billingDocs,
  ...adminDocs,
};
