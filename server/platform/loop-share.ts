import { performance } from 'node:perf_hooks';

/** The time of each turn of the event loop for the work of teams, so that connections, timers and checks are served between. */
const BUDGET_MS = 5;

/** The work that waits, by team, oldest first. The first team is next. */
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
  // After what was started has computed: Node runs ticks when no microtask is left.
  queueMicrotask(() => process.nextTick(startNext));
}

/**
 * Resolves when a team may use the thread for work whose cost its users choose, such as rendering a message: in turn with other teams, and for a few
 * milliseconds in each turn of the event loop. A hundred messages that become due together would otherwise run without a pause.
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
