import type { IncidentChange, WatchState } from '@/server/checks/verdict/types';
import type { Alert, Replayed } from './replay';
import type { Interval } from './traces';

/** The traces' time 0, a multiple of every interval. */
const EPOCH = Date.UTC(2026, 0, 1);

export const dateAt = (at: number) => new Date(EPOCH + at);
export const atOf = (date: Date) => date.getTime() - EPOCH;

/** The state of a monitor that was never checked. */
export const fresh = (): WatchState => ({
  status: 'pending',
  statusSince: dateAt(0),
  failures: 0,
  recoveries: 0,
  turnedAt: null,
  latencyStreak: 0,
  latencyTurnedAt: null,
  openIncident: null,
  changes: [],
  steadySince: null,
  lastCheckedAt: null,
  noiseUntil: null,
});

/** Records the notifications for incident changes, and adds up downtime from the spans. */
export class Account {
  readonly alerts: Alert[] = [];
  private open: 'downtime' | 'degraded' | null = null;
  private readonly down: Interval[] = [];
  private readonly unknown: Interval[] = [];
  private span = { status: 'pending', startedAt: 0 };

  take(incidents: IncidentChange[], spans: { status: string; startedAt: Date }[], checkedAt: number, at: number): void {
    for (const change of incidents) {
      // The end of a superseded incident sends no message.
      if (change.kind === 'note' || change.kind === 'supersede') continue;
      if (change.kind === 'open') this.open = change.type;
      const isDowntime = this.open !== 'degraded';
      const kinds = isDowntime ? (['down', 'up'] as const) : (['degraded', 'degraded over'] as const);
      this.alerts.push({ kind: change.kind === 'open' ? kinds[0] : kinds[1], at, checkedAt });
    }
    for (const { status, startedAt } of spans) {
      this.close(atOf(startedAt));
      this.span = { status, startedAt: atOf(startedAt) };
    }
  }

  private close(at: number): void {
    const { status, startedAt } = this.span;
    if (status === 'down') this.down.push({ from: startedAt, to: at });
    if (status === 'unknown') this.unknown.push({ from: startedAt, to: at });
  }

  end(at: number): Replayed {
    this.close(at);
    return { alerts: this.alerts, down: this.down, unknown: this.unknown };
  }
}
