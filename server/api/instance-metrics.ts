import { countWorkers } from '@/server/checks/schedule/count-workers';
import { listWorkers, type RunningWorker } from '@/server/checks/schedule/list-workers';
import { IncidentType } from '@/server/incidents/schema';
import { MonitorStatus } from '@/server/monitors/schema';
import { db, type PoolUse } from '@/server/platform/db';
import { waitsByKind } from '@/server/platform/time-buckets';
import { readDeliveries, readJobs, readMonitors, readOpenIncidents, readOverdue, readRegions } from './metrics-queries';
import { countedBy, family, gauge, histogram, type Sample } from './prometheus';

function lateness({ id, region, lateness: counts, latenessMs: totalMs }: RunningWorker): Sample[] {
  return histogram({ worker: id, region }, { counts, totalMs });
}

function waits(process: string, ofProcess: RunningWorker['waits']): Sample[] {
  return Object.entries(ofProcess).flatMap(([kind, buckets]) => histogram({ kind, process }, buckets));
}

/** The connections of a pool by state; callers waiting for one are a state too. */
export function connectionSamples(labels: Record<string, string>, use: PoolUse): Sample[] {
  return Object.entries(use).map(([state, count]): Sample => ['', { ...labels, state }, count]);
}

function workerFamilies(workers: RunningWorker[]): string[][] {
  const labelsOf = ({ id, region }: RunningWorker) => ({ worker: id, region });
  return [
    gauge('upwatch_workers_running', 'Number of running workers.', workers.length),
    family(
      'upwatch_worker_info',
      'gauge',
      'Version of each worker.',
      workers.map((worker) => ['', { ...labelsOf(worker), version: worker.version }, 1]),
    ),
    family(
      'upwatch_worker_memory_bytes',
      'gauge',
      'Resident memory of each worker.',
      workers.flatMap((worker): Sample[] => {
        const { memoryBytes } = worker.process;
        return memoryBytes === undefined ? [] : [['', labelsOf(worker), memoryBytes]];
      }),
    ),
    family(
      'upwatch_worker_database_connections',
      'gauge',
      'Database connections of each worker: used, idle, and callers waiting for one.',
      workers.flatMap((worker) => {
        const { connections } = worker.process;
        return connections ? connectionSamples(labelsOf(worker), connections) : [];
      }),
    ),
    family(
      'upwatch_check_lateness_seconds',
      'histogram',
      'Delay between the scheduled and the actual start of checks.',
      workers.flatMap(lateness),
    ),
    family(
      'upwatch_wait_seconds',
      'histogram',
      'Time that work waited for a slot shared by teams, by kind and process.',
      [...workers.flatMap((worker) => waits(worker.id, worker.waits)), ...waits('web', waitsByKind())],
    ),
  ];
}

/** Metrics from the database, including those that workers report. */
export async function instanceMetrics(): Promise<string[][]> {
  const [monitors, incidents, regions, running, workers, [overdue], [deliveries], [jobs]] = await Promise.all([
    readMonitors(),
    readOpenIncidents(),
    readRegions(),
    countWorkers(db),
    listWorkers(db, {}),
    readOverdue(),
    readDeliveries(),
    readJobs(),
  ]);
  const byStatus = new Map(monitors.map(({ status, monitors: count }) => [status, count]));
  const byType = new Map(incidents.map(({ type, incidents: count }) => [type, count]));
  return [
    family('upwatch_monitors', 'gauge', 'Monitors by status.', countedBy('status', MonitorStatus.options, byStatus)),
    family(
      'upwatch_incidents_open',
      'gauge',
      'Unresolved incidents by type.',
      countedBy('type', IncidentType.options, byType),
    ),
    family(
      'upwatch_workers',
      'gauge',
      'Workers by region; 0 for regions that monitors use but no worker runs in.',
      countedBy(
        'region',
        regions.map(({ region }) => region),
        running,
      ),
    ),
    ...workerFamilies(workers),
    gauge('upwatch_checks_overdue', 'Monitors whose check is overdue by more than 5 seconds.', overdue?.waiting ?? 0),
    gauge('upwatch_checks_overdue_seconds', 'Age of the most overdue check.', overdue?.oldest ?? 0),
    family('upwatch_deliveries', 'gauge', 'Pending messages, and messages that failed in the last 24 hours.', [
      ['', { status: 'pending' }, deliveries?.waiting ?? 0],
      ['', { status: 'failed' }, deliveries?.failed ?? 0],
    ]),
    gauge('upwatch_deliveries_oldest_seconds', 'Age of the oldest pending message.', deliveries?.oldest ?? 0),
    gauge(
      'upwatch_deliveries_overdue_seconds',
      'Time by which the most overdue delivery attempt is late.',
      deliveries?.overdue ?? 0,
    ),
    gauge('upwatch_jobs_waiting', 'Jobs that are ready to run and not claimed by a worker.', jobs?.waiting ?? 0),
    gauge('upwatch_jobs_oldest_seconds', 'Age of the oldest ready job.', jobs?.oldest ?? 0),
    gauge('upwatch_jobs_failed', 'Jobs that failed permanently.', jobs?.failed ?? 0),
  ];
}
