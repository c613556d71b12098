import { rateLimited } from '@/server/platform/errors';

const LIMITS = {
  /** Pings per minute of one heartbeat: many more than a job sends with a start and an end every second, and few enough to be harmless. */
  heartbeat: 120,
  /** Pings per minute of all heartbeats of a team. */
  team: 12_000,
  /**
   * The number of a heartbeat's first pings in each minute, such as start and end, that may use all of the team's limit; later ones may use half. So
   * jobs that ping too often do not cause missed pings of the team's other jobs.
   */
  first: 2,
};
const WINDOW_MS = 60_000;
const MOST_KNOWN = 50_000;

/**
 * Counts the pings of each heartbeat and team in this process, so that runaway jobs cost no database statement. Counts tokens only once they are
 * known to belong to a heartbeat, so that anonymous clients cannot fill the memory.
 */
export class PingLimit {
  /** The team of each known token. */
  private readonly teams = new Map<string, string>();
  /** The pings of this minute, by token and by team. */
  private readonly counts = new Map<string, number>();
  private endsAt = 0;

  constructor(private readonly limits = LIMITS) {}

  /** The number of known tokens. */
  get size(): number {
    return this.teams.size;
  }

  /** Returns the team of a token for which this process has recorded a ping; undefined for another one. */
  teamOf(token: string): string | undefined {
    return this.teams.get(token);
  }

  /**
   * Counts a ping of a known token before any work on it. Ignores unknown tokens.
   * @throws AppError RATE_LIMITED
   */
  take(token: string, now = performance.now()): void {
    if (now >= this.endsAt) {
      this.counts.clear();
      this.endsAt = now + WINDOW_MS;
    }
    const team = this.teams.get(token);
    if (team === undefined) return;
    const { heartbeat, first, team: ofTeam } = this.limits;
    const count = this.counts.get(token) ?? 0;
    if (count >= heartbeat) throw this.refusal(`More than ${heartbeat} pings per minute.`, heartbeat, now);
    if ((this.counts.get(team) ?? 0) >= (count < first ? ofTeam : ofTeam / 2)) {
      throw this.refusal(`The heartbeats of this team send too many pings per minute (limit ${ofTeam}).`, ofTeam, now);
    }
    this.add(token, team);
  }

  /** Stores the team of a token whose ping was recorded. Counts that ping if the token was unknown before. */
  note(token: string, team: string): void {
    if (this.teams.has(token)) return;
    if (this.teams.size >= MOST_KNOWN) this.teams.clear();
    this.teams.set(token, team);
    this.add(token, team);
  }

  private add(...counted: string[]): void {
    for (const each of counted) this.counts.set(each, (this.counts.get(each) ?? 0) + 1);
  }

  private refusal(message: string, limit: number, now: number) {
    return rateLimited(message, { limit, resetSeconds: Math.max(1, Math.ceil((this.endsAt - now) / 1000)) });
  }
}
