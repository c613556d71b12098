import type { z } from 'zod';
import { AdminUser } from '@/server/admin/schema';
import { ApiKey } from '@/server/api-keys/schema';
import { AuditEntry } from '@/server/audit/schema';
import { Incident, IncidentUpdate } from '@/server/incidents/schema';
import { MaintenanceWindow } from '@/server/maintenance/schema';
import { Check, definitions, Monitor, Uptime } from '@/server/monitors/schema';
import { Channel, channelDefinitions, Delivery } from '@/server/notifications/schema';
import { StatusPage } from '@/server/status-pages/schema';
import { Member } from '@/server/teams/schema';
import { capitalised } from './unions';

/** The schemas that have a name in the document; all others stand where they are used. */
export const namedSchemas: Record<string, { schema: z.ZodType; description: string }> = {
  Monitor: { schema: Monitor, description: 'What is watched.' },
  Check: { schema: Check, description: 'One check as it was seen. A phase that did not happen is null.' },
  Uptime: {
    schema: Uptime,
    description: 'ratio = up ÷ (up + down), time-weighted. Degraded counts as up; null where nothing is known.',
  },
  Incident: { schema: Incident, description: 'What happened, from when to when.' },
  IncidentUpdate: { schema: IncidentUpdate, description: "One line of an incident's story." },
  MaintenanceWindow: {
    schema: MaintenanceWindow,
    description: 'A planned stretch of time. `monitorIds` null is every monitor of the team.',
  },
  Channel: { schema: Channel, description: 'Where messages go. Secrets are masked.' },
  Delivery: { schema: Delivery, description: 'One message to one channel, with its attempts.' },
  Member: { schema: Member, description: 'A person in a team; `createdAt` is when they joined it.' },
  StatusPage: { schema: StatusPage, description: 'What customers see, and where.' },
  AuditEntry: { schema: AuditEntry, description: 'One change: who, what, when, from where.' },
  AdminUser: { schema: AdminUser, description: 'An account as administrators see it.' },
  ApiKey: { schema: ApiKey, description: 'A key, without its secret.' },
  ...Object.fromEntries(
    Object.entries(definitions).map(([type, { schema }]) => [
      `${capitalised(type)}Config`,
      { schema: schema as z.ZodType, description: `What a monitor of type ${type} does and expects.` },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(channelDefinitions).map(([type, { schema, description }]) => [
      `${capitalised(type)}ChannelConfig`,
      { schema: schema as z.ZodType, description },
    ]),
  ),
};
