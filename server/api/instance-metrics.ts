import { readSample, takeSample } from '@/server/admin/sample-queries';
import { countWorkers } from '@/server/checks/schedule/count-workers';
import { listWorkers, type RunningWorker } from '@/server/checks/schedule/list-workers';
import { IncidentType } from '@/server/incidents/schema';
import { MonitorStatus } from '@/server/monitor-types/schema';
import { databaseNow } from '@/server/platform/database-now';
import { db, type PoolUse } from '@/server/platform/db';
import { type DeliveryCounts, deliveryCounts, MESSAGE_BOUNDS_MS } from '@/server/platform/metrics/delivery-counts';
import { waitsByKind } from '@/server/platform/metrics/time-buckets';
import { readDeliveries, readJobs, readOverdue, readRollUpEnd } from './metrics-queries';
import { countedBy, family, gauge, histogram, type Sample } from './prometheus';

function lateness({ id, region, lateness: counts, latenessMs: totalMs }: RunningWorker): Sample[] {
  return histogram({ worker: id, region }, { counts, totalMs });
}

function waits(process: string, ofProcess: RunningWorker['waits']): Sample[] {
  return Object.entries(ofProcess).flatMap(([kind, buckets]) => histogram({ kind, process }, buckets));
}

/** Returns a sample of a pool's connections for each state. Callers that wait for a connection are counted as a state. */
export function connectionSamples(labels: Record<string, string>, use: PoolUse): Sample[] {
  return Object.entries(use).map(([state, count]): Sample => ['', { ...labels, state }, count]);
}

/** Returns the counters of completed deliveries, as reported by each process. Workers of earlier versions report none. */
function deliveryFamilies(workers: RunningWorker[]): string[][] {
  const processes: [process: string, DeliveryCounts][] = [
    ...workers.flatMap(({ id, process }): [string, DeliveryCounts][] =>
      process.deliveries ? [[id, process.deliveries]] : [],
    ),
    ['web', deliveryCounts()],
  ];
  return [
    family(
      'upwatch_deliveries_total',
      'counter',
      'Messages that receivers accepted, and messages that failed for good, by process.',
      processes.flatMap(([process, { delivered, failed }]): Sample[] => [
        ['', { status: 'delivered', process }, delivered],
        ['', { status: 'failed', process }, failed],
      ]),
    ),
    family(
      'upwatch_time_to_message_seconds',
      'histogram',
      'Time from the first failing check of an incident to each message about it that a receiver accepted.',
      processes.flatMap(([process, { timeToMessage }]) => histogram({ process }, timeToMessage, MESSAGE_BOUNDS_MS)),
    ),
  ];
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
      'upwatch_worker_network_up',
      'gauge',
      "Whether each worker's egress checks find its network working.",
      workers.map((worker) => ['', labelsOf(worker), worker.hasNetwork ? 1 : 0]),
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

/** Returns the last sample. Takes one now if no worker has taken any yet. */
async function sample() {
  const last = await readSample();
  if (last) return last;
  await takeSample();
  return readSample();
}

/** Returns the figures that are computed from whole tables, as of the last sample. */
function sampledFamilies(last: Awaited<ReturnType<typeof sample>>, now: Date): string[][] {
  const countsOf = (counts: Record<string, number> | undefined) => new Map(Object.entries(counts ?? {}));
  return [
    family(
      'upwatch_monitors',
      'gauge',
      'Monitors by status.',
      countedBy('status', MonitorStatus.options, countsOf(last?.monitors)),
    ),
    family(
      'upwatch_incidents_open',
      'gauge',
      'Unresolved incidents by type.',
      countedBy('type', IncidentType.options, countsOf(last?.openIncidents)),
    ),
    gauge('upwatch_channels_failing', 'Channels that are marked as failing.', last?.failingChannels ?? 0),
    gauge('upwatch_sample_age_seconds', 'Age of the figures that a job takes every minute.', ageOf(last?.takenAt, now)),
  ];
}

/** Returns the age of a time in seconds; 0 without a time. */
function ageOf(at: Date | null | undefined, now: Date): number {
  return at ? Math.max(0, (now.getTime() - at.getTime()) / 1000) : 0;
}

/**
 * Returns the metrics from the database, including those that workers report. Its reads do not grow with the data, only with the number of waiting
 * jobs and deliveries.
 */
export async function instanceMetrics(): Promise<string[][]> {
  const [last, running, workers, [overdue], [deliveries], [jobs], rolledUpTo, now] = await Promise.all([
    sample(),
    countWorkers(db),
    listWorkers(db, {}),
    readOverdue(),
    readDeliveries(),
    readJobs(),
    readRollUpEnd(),
    databaseNow(),
  ]);
  return [
    ...sampledFamilies(last, now),
    family(
      'upwatch_workers',
      'gauge',
      'Workers by region; 0 for regions that monitors use but no worker runs in.',
      countedBy('region', last?.regions ?? [], running),
    ),
    ...workerFamilies(workers),
    gauge('upwatch_checks_overdue', 'Monitors whose check is overdue by more than 5 seconds.', overdue?.waiting ?? 0),
    gauge('upwatch_checks_overdue_seconds', 'Age of the most overdue check.', overdue?.oldest ?? 0),
    gauge(
      'upwatch_roll_up_lag_seconds',
      'Time since the end of the last hour that is rolled up.',
      ageOf(rolledUpTo, now),
    ),
    gauge('upwatch_deliveries_pending', 'Messages that are not delivered yet.', deliveries?.waiting ?? 0),
    ...deliveryFamilies(workers),
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
