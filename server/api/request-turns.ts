/** The maximum number of turns of the event loop for which a request waits for connections. */
const MOST_TURNS = 100;

const line: (() => void)[] = [];
let accepted = 0;
let seen = 0;
let turns = 0;

/** Counts a connection that the web server has accepted. */
export function noteConnection(): void {
  accepted += 1;
}

function startNext(): void {
  if (accepted !== seen && turns < MOST_TURNS) {
    seen = accepted;
    turns += 1;
  } else {
    turns = 0;
    line.shift()?.();
  }
  if (line.length > 0) setImmediate(startNext);
}

/**
 * Resolves when a request may use the main thread: one request in each turn of the event loop, and after the connections that wait to be accepted. A
 * rejected call needs no input or output, so all that arrived together would otherwise run in one turn. libuv accepts one connection per turn, so
 * others would wait for seconds to connect.
 */
export function nextRequestTurn(): Promise<void> {
  return new Promise((resolve) => {
    line.push(resolve);
    if (line.length === 1) setImmediate(startNext);
  });
}
