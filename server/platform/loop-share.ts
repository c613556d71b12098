import { performance } from 'node:perf_hooks';

/** The time in each turn of the event loop for one kind of work. Limited, so that connections, timers and checks are served in between. */
const BUDGET_MS = 5;

/** Shares a few milliseconds of each turn of the event loop between teams. */
export class LoopShare {
  /** The waiting work by team, oldest first. The first team of the map is next. */
  private readonly lines = new Map<string, (() => void)[]>();
  private isStarted = false;
  private turnEndsAt = 0;

  /** Resolves when the team may use the thread. Teams take turns. */
  take(team: string): Promise<void> {
    return new Promise((resolve) => {
      const line = this.lines.get(team) ?? [];
      this.lines.set(team, line);
      line.push(resolve);
      if (this.isStarted) return;
      this.isStarted = true;
      setImmediate(this.startTurn);
    });
  }

  private readonly startTurn = () => {
    this.turnEndsAt = performance.now() + BUDGET_MS;
    this.startNext();
  };

  private readonly startNext = () => {
    const [first] = this.lines;
    if (!first) {
      this.isStarted = false;
      return;
    }
    if (performance.now() >= this.turnEndsAt) return void setImmediate(this.startTurn);
    const [team, line] = first;
    this.lines.delete(team);
    const start = line.shift();
    if (line.length > 0) this.lines.set(team, line);
    start?.();
    // Runs after the started work has paused or ended, because Node runs ticks when no microtask is left.
    queueMicrotask(() => process.nextTick(this.startNext));
  };
}

const share = new LoopShare();

/**
 * Resolves when a team may use the thread for work whose cost its users choose, such as rendering a message. Teams take turns, and all of them
 * together get a few milliseconds in each turn of the event loop. Otherwise, a hundred messages that become due together would run without a pause.
 */
export const takeLoopTurn = (team: string): Promise<void> => share.take(team);
