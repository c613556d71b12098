import { decideLocked } from '@/server/checks/record/decide';
import type { Claim } from '@/server/checks/schedule/claim';
import type { Plan } from '@/server/checks/schedule/plan';
import { type LockedRow, toWatchState } from '@/server/checks/schedule/state-row';
import { FLAP_CHANGES } from '@/server/checks/verdict/flapping';
import { AWAIT_MS } from '@/server/checks/verdict/majority';
import { confirmedByOthers } from '@/server/checks/verdict/regional-policy';
import { SETTLED } from '@/server/checks/verdict/settled';
import type { IncidentChange, SpanStart, WatchState } from '@/server/checks/verdict/types';
import type { Observation } from '@/server/monitor-types/probing/observation';
import { newTrace } from '@/server/monitor-types/probing/trace';

const START = Date.parse('2026-05-01T10:00:00Z');
const CHECK_MS = 100;
const TIMEOUT_MS = 10_000;
const NO_TIMINGS = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, downloadMs: null };

/** What a check of a target that hangs observes. */
const hanging: Observation = {
  outcome: 'failed',
  error: 'No response',
  latencyMs: TIMEOUT_MS,
  timings: NO_TIMINGS,
  family: null,
  certificate: null,
  statusCode: null,
  evidence: null,
  trace: newTrace(),
};

/** Seconds after the start of a simulation, to a date and back. */
export const dateOf = (at: number) => new Date(START + Math.round(at * 1000));
export const secondsOf = (date: Date) => (date.getTime() - START) / 1000;

export type Sight = 'up' | 'degraded' | 'down' | 'unknown';

export interface Setup {
  intervalSeconds?: number;
  regions?: string[];
  /** What a check that begins at this second finds from a region ('' without regions). */
  see: (at: number, region: string) => Sight;
  /** Whether a failing check from a region waits for 10 s, because the target hangs. */
  hangs?: (region: string) => boolean;
  /** Until when nothing checks in a region, if it is `at`; null if something does. */
  asleepUntil?: (at: number, region: string) => number | null;
  confirm?: Partial<Plan['policy']>;
}

/** A message as channels get it: what another incident replaces ends without one. */
export interface Message {
  kind: 'down' | 'up';
  at: number;
  /** The monitor's status at that time. */
  status: LockedRow['status'];
}

const newRow = (region: string, changes: Partial<LockedRow> = {}): LockedRow => ({
  monitor_id: 'm',
  region,
  version: 1,
  revision: 0,
  status: 'pending',
  status_since: dateOf(0),
  failures: 0,
  recoveries: 0,
  turned_at: null,
  latency_streak: 0,
  latency_turned_at: null,
  open_incident: null,
  changes: [],
  steady_since: null,
  last_checked_at: null,
  noise_until: null,
  expected_since: null,
  run_started_at: null,
  certificate: null,
  certificate_warned: false,
  maintenance: [],
  check_pauses: [],
  planned_until: null,
  held: null,
  due_at: dateOf(0),
  claimed_by: null,
  claimed_until: null,
  last_latency_ms: null,
  last_error: null,
  ...changes,
});

const columnsOf = (state: WatchState): Partial<LockedRow> => ({
  status: state.status,
  status_since: state.statusSince,
  failures: state.failures,
  recoveries: state.recoveries,
  turned_at: state.turnedAt,
  latency_streak: state.latencyStreak,
  latency_turned_at: state.latencyTurnedAt,
  open_incident: state.openIncident,
  changes: state.changes,
  steady_since: state.steadySince,
  last_checked_at: state.lastCheckedAt,
  noise_until: state.noiseUntil,
});

const SETTLED_COLUMNS: Partial<LockedRow> = {
  failures: SETTLED.failures,
  recoveries: SETTLED.recoveries,
  turned_at: SETTLED.turnedAt,
  latency_streak: SETTLED.latencyStreak,
  latency_turned_at: SETTLED.latencyTurnedAt,
};

/** A monitor whose rows are checked whenever they are due, through the functions that the recorder decides with. */
export class SimulatedMonitor {
  readonly messages: Message[] = [];
  readonly changes: { change: IncidentChange; at: number }[] = [];
  spans: SpanStart[] = [{ status: 'pending', startedAt: dateOf(-1) }];
  checks = 0;
  private rows: LockedRow[];
  private open: 'downtime' | 'degraded' | null = null;
  private at = 0;

  constructor(private readonly setup: Setup) {
    const { regions = [] } = setup;
    this.rows = [
      newRow('', { due_at: dateOf(regions.length > 0 ? AWAIT_MS / 1000 : 0) }),
      ...regions.map((region) => newRow(region)),
    ];
  }

  get regions(): string[] {
    return this.rows.flatMap(({ region }) => (region === '' ? [] : [region]));
  }

  of(region: string): LockedRow {
    const found = this.rows.find((row) => row.region === region);
    if (!found) throw new Error(`There is no region "${region}".`);
    return found;
  }

  get own(): LockedRow {
    return this.of('');
  }

  get isPaused(): boolean {
    return this.own.status === 'paused';
  }

  /** The rows that check the target. */
  get checking(): LockedRow[] {
    return this.rows.filter(({ region }) => region !== '' || this.rows.length === 1);
  }

  private get plan(): Plan {
    const { intervalSeconds = 60, confirm } = this.setup;
    const { regions } = this;
    const rules = {
      failures: 3,
      recoveries: 4,
      retryDelayMs: 10_000,
      degraded: 7,
      flapChanges: FLAP_CHANGES,
      countsRelapses: true,
      isAdaptive: true,
      ...confirm,
    };
    const monitor = {
      id: 'm',
      num: 0,
      teamId: 't',
      type: 'http' as const,
      name: 'Shop',
      severity: 'critical' as const,
    };
    return {
      monitor: { ...monitor, intervalSeconds, version: 1 },
      regions,
      target: null,
      testsConnection: false,
      policy: {
        monitorNum: 0,
        intervalSeconds,
        watchedForMs: 2 * intervalSeconds * 1000 + 10_000,
        watchChanged: null,
        ...(regions.length > 1 ? confirmedByOthers(rules) : rules),
      },
      warnDays: 0,
      pingSchedule: null,
      host: '',
    };
  }

  /** When a row is checked next; null for never. */
  private nextOf({ due_at: due, region }: LockedRow): number | null {
    if (due === null) return null;
    const at = Math.max(secondsOf(due), this.at);
    // Any worker checks the own row of a monitor with regions.
    if (region === '' && this.rows.length > 1) return at;
    return this.setup.asleepUntil?.(at, region) ?? at;
  }

  /** Runs every check that is due before `until`. */
  run(until: number, afterEach?: (monitor: this, at: number) => void): this {
    for (;;) {
      let next: { row: LockedRow; at: number } | null = null;
      for (const row of this.rows) {
        const at = this.nextOf(row);
        if (at !== null && (next === null || at < next.at)) next = { row, at };
      }
      if (!next || next.at >= until) break;
      this.at = next.at;
      this.check(next.row.region, next.at, true);
      afterEach?.(this, next.at);
    }
    this.at = Math.max(this.at, until);
    return this;
  }

  /** Runs a check, of a claim if the row is due. */
  check(region: string, at = this.at, isDue = false): void {
    const row = this.of(region);
    const isSilence = region === '' && this.rows.length > 1;
    const status = isSilence ? null : this.setup.see(at, region);
    const began = dateOf(at);
    const error = status === 'up' ? null : 'Connection refused';
    const observation = status === 'down' && this.setup.hangs?.(region) ? hanging : null;
    const tookMs = observation?.latencyMs ?? CHECK_MS;
    const finding = status
      ? { at: began, verdict: { status, error }, observation }
      : { at: began, event: { kind: 'silence' as const } };
    const takenAt = new Date(began.getTime() + tookMs);
    const dueAt = isDue ? row.due_at : null;
    const claim: Claim | null = dueAt && {
      monitorId: 'm',
      region,
      version: 1,
      revision: row.revision,
      dueAt,
      leaseUntil: takenAt,
      state: toWatchState(row),
    };
    this.checks += 1;
    const decided = decideLocked(null, { plan: this.plan, finding, region, takenAt, claim }, this.rows);
    if (!decided) return;
    for (const { region: changed, state, dueAt, held, shown } of decided.rows) {
      const seen = shown && { last_error: shown.error };
      // Stored as JSON and read again, as in the database.
      const stored = held && (JSON.parse(JSON.stringify(held)) as unknown);
      Object.assign(this.of(changed), columnsOf(state), { due_at: dueAt, held: stored }, seen);
    }
    const [first] = decided.spans;
    if (first) this.startSpans(decided.spans);
    for (const change of decided.incidents) this.take(change, at + tookMs / 1000);
  }

  private startSpans(spans: SpanStart[]): void {
    const from = spans[0]?.startedAt ?? new Date(0);
    this.spans = [...this.spans.filter(({ startedAt }) => startedAt < from), ...spans];
  }

  private tell(kind: Message['kind'], at: number): void {
    this.messages.push({ kind, at, status: this.own.status });
  }

  private take(change: IncidentChange, at: number): void {
    this.changes.push({ change, at });
    if (change.kind === 'note' || change.kind === 'hold') return;
    if (change.kind === 'open') {
      if (this.open) throw new Error(`A second incident opens at ${at}`);
      this.open = change.type;
      if (change.type === 'downtime') this.tell('down', at);
      return;
    }
    if (!this.open) throw new Error(`An incident that is not open ends at ${at}`);
    if (this.open === 'downtime' && change.kind === 'resolve') this.tell('up', at);
    this.open = null;
  }

  /** Edits the config: what is counted starts again, and checks are due at once. */
  edit(): void {
    for (const row of this.rows) Object.assign(row, SETTLED_COLUMNS);
    this.schedule(this.regions, true);
  }

  setRegions(regions: string[]): void {
    this.schedule(regions, true);
  }

  pause(): void {
    if (this.isPaused) return;
    this.startSpans([{ status: 'paused', startedAt: dateOf(this.at) }]);
    const nothing = { open_incident: null, changes: [], steady_since: null, held: null };
    Object.assign(this.own, SETTLED_COLUMNS, nothing, { status: 'paused', status_since: dateOf(this.at) });
    if (this.open === 'downtime') this.tell('up', this.at);
    this.open = null;
    this.rows = [this.own, ...this.regions.map((region) => newRow(region))];
    this.schedule(this.regions, false);
  }

  resume(): void {
    if (!this.isPaused) return;
    this.startSpans([{ status: 'pending', startedAt: dateOf(this.at) }]);
    Object.assign(this.own, { status: 'pending', status_since: dateOf(this.at) });
    this.schedule(this.regions, true);
  }

  /** Sets the edges of a maintenance window. */
  maintain(from: number, to: number): void {
    for (const row of this.rows) row.maintenance = [dateOf(from), dateOf(to)];
  }

  /** What `scheduleMonitors` does. */
  private schedule(regions: string[], isOn: boolean): void {
    const now = dateOf(this.at);
    const { own } = this;
    const inherited = own.open_incident === 'downtime' ? own.open_incident : null;
    const kept = regions.map(
      (region) =>
        this.rows.find((row) => row.region === region) ??
        newRow(region, { status_since: now, maintenance: own.maintenance }),
    );
    this.rows = [own, ...kept];
    for (const row of this.rows) {
      const isOwn = row.region === '';
      if (!isOwn && row.last_checked_at === null) row.open_incident = inherited;
      row.due_at = isOn ? dateOf(this.at + (isOwn && kept.length > 0 ? AWAIT_MS / 1000 : 0)) : null;
    }
  }
}
