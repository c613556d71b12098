import type { z } from 'zod';
import { AdminUser } from '@/server/admin/schema';
import { ApiKey } from '@/server/api-keys/schema';
import { AuditEntry } from '@/server/audit/schema';
import { Incident, IncidentUpdate } from '@/server/incidents/schema';
import { MaintenanceWindow } from '@/server/maintenance/schema';
import { Check, definitions, Monitor, Uptime } from '@/server/monitor-types/schema';
import { Channel, channelDefinitions, Delivery } from '@/server/notifications/schema';
import { StatusPage, StatusPageComponent } from '@/server/status-pages/schema';
import { Member } from '@/server/teams/schema';
import { capitalised } from './unions';

/** The schemas with a name in the document; others are inlined. */
export const namedSchemas: Record<string, { schema: z.ZodType; description: string }> = {
  Monitor: { schema: Monitor, description: 'A monitored target.' },
  Check: { schema: Check, description: 'One check result. A phase that did not happen is null.' },
  Uptime: {
    schema: Uptime,
    description: 'ratio = up ÷ (up + down), time-weighted. Degraded counts as up; null where nothing is known.',
  },
  Incident: { schema: Incident, description: 'A period of trouble, from its start to its resolution.' },
  IncidentUpdate: { schema: IncidentUpdate, description: 'One update of an incident.' },
  MaintenanceWindow: {
    schema: MaintenanceWindow,
    description: 'A scheduled maintenance window. If `monitorIds` is null, it covers all monitors of the team.',
  },
  Channel: { schema: Channel, description: 'A destination of notifications. Secrets are masked.' },
  Delivery: { schema: Delivery, description: 'One message to one channel, with its attempts.' },
  Member: { schema: Member, description: 'A member of a team; `createdAt` is the time they joined.' },
  StatusPageComponent: {
    schema: StatusPageComponent,
    description: 'A component of a status page without a monitor. Its status is that of the incidents that name it.',
  },
  StatusPage: { schema: StatusPage, description: 'A public page with the status of selected monitors.' },
  AuditEntry: { schema: AuditEntry, description: 'One change: actor, action, time and IP address.' },
  AdminUser: { schema: AdminUser, description: 'An account as administrators see it.' },
  ApiKey: { schema: ApiKey, description: 'An API key without its secret.' },
  ...Object.fromEntries(
    Object.entries(definitions).map(([type, { schema }]) => [
      `${capitalised(type)}Config`,
      { schema: schema as z.ZodType, description: `The config of a monitor of type ${type}.` },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(channelDefinitions).map(([type, { schema, description }]) => [
      `${capitalised(type)}ChannelConfig`,
      { schema: schema as z.ZodType, description },
    ]),
  ),
};
