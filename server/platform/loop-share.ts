import { performance } from 'node:perf_hooks';

/** The time in each turn of the event loop for the work of teams. Limited, so that connections, timers and checks are served in between. */
const BUDGET_MS = 5;

/** The waiting work by team, oldest first. The first team of the map is next. */
const lines = new Map<string, (() => void)[]>();
let isStarted = false;
let turnEndsAt = 0;

function startTurn(): void {
  turnEndsAt = performance.now() + BUDGET_MS;
  startNext();
}

function startNext(): void {
  const [first] = lines;
  if (!first) {
    isStarted = false;
    return;
  }
  if (performance.now() >= turnEndsAt) return void setImmediate(startTurn);
  const [team, line] = first;
  lines.delete(team);
  const start = line.shift();
  if (line.length > 0) lines.set(team, line);
  start?.();
  // Runs after the started work has paused or ended, because Node runs ticks when no microtask is left.
  queueMicrotask(() => process.nextTick(startNext));
}

/**
 * Resolves when a team may use the thread for work whose cost its users choose, such as rendering a message. Teams take turns, and all of them
 * together get a few milliseconds in each turn of the event loop. Otherwise, a hundred messages that become due together would run without a pause.
 */
export function takeLoopTurn(team: string): Promise<void> {
  return new Promise((resolve) => {
    const line = lines.get(team) ?? [];
    line.push(resolve);
    lines.set(team, line);
    if (isStarted) return;
    isStarted = true;
    setImmediate(startTurn);
  });
}
