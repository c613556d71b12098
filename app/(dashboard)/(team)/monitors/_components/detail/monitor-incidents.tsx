'use client';

import { IncidentList } from '@/app/_components/incidents/incident-list';
import { Empty } from '@/app/_components/ui/empty';
import type { Monitor } from '@/server/monitors/schema';

/** The incidents of one monitor. */
export function MonitorIncidents({ monitor }: { monitor: Monitor }) {
  return (
    <IncidentList
      filter={{ monitorId: monitor.id }}
      empty={<Empty title="No incidents">When this monitor goes down, its story is written here.</Empty>}
    />
  );
}
