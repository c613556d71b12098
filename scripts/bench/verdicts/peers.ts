// The rules of other tools, by their documents.
import { type Alert, awake, type Rule } from './replay';
import { MINUTE, SECOND } from './traces';

interface Threshold {
  /** Failing checks in a row until down, and passing ones until up. */
  failures: number;
  successes: number;
  /** The wait after a failing check that does not decide yet; the interval where it is left out. */
  retrySeconds?: number;
}

/** One place, and a row of checks that decides. */
function thresholdRule(name: string, { failures, successes, retrySeconds }: Threshold): Rule {
  return {
    name,
    replay(trace, reader, intervalSeconds) {
      const alerts: Alert[] = [];
      let [isDown, row, downSince, downMs] = [false, 0, 0, 0];
      for (let at = 0; at < trace.ms; ) {
        const checkedAt = awake(trace, at);
        const { isFailing, tookMs } = reader.see(checkedAt, 0);
        row = isFailing === isDown ? 0 : row + 1;
        const isTurn = row >= (isDown ? successes : failures);
        if (isTurn) {
          alerts.push({ kind: isDown ? 'up' : 'down', at: checkedAt + tookMs, checkedAt });
          if (isDown) downMs += checkedAt - downSince;
          else downSince = checkedAt;
          isDown = !isDown;
          row = 0;
        }
        const isRetry = row > 0 && !isDown && retrySeconds !== undefined;
        at = checkedAt + (isRetry ? retrySeconds : intervalSeconds) * SECOND;
      }
      return { alerts, downMs: isDown ? downMs + trace.ms - downSince : downMs };
    },
  };
}

/** OpenStatus: every place checks at the same moment, and half of them failing opens an incident. */
function sharedQuorumRule(name: string, places: number): Rule {
  return {
    name,
    replay(trace, reader, intervalSeconds) {
      const alerts: Alert[] = [];
      let [isDown, downSince, downMs] = [false, 0, 0];
      for (let at = 0; at < trace.ms; ) {
        const checkedAt = awake(trace, at);
        const sights = Array.from({ length: places }, (_, place) => reader.see(checkedAt, place));
        const failing = sights.filter(({ isFailing }) => isFailing).length;
        if (failing * 2 >= places !== isDown) {
          alerts.push({
            kind: isDown ? 'up' : 'down',
            at: checkedAt + Math.max(...sights.map((s) => s.tookMs)),
            checkedAt,
          });
          if (isDown) downMs += checkedAt - downSince;
          else downSince = checkedAt;
          isDown = !isDown;
        }
        at = checkedAt + intervalSeconds * SECOND;
      }
      return { alerts, downMs: isDown ? downMs + trace.ms - downSince : downMs };
    },
  };
}

export const peers: Rule[] = [
  thresholdRule('Kuma, 0 retries', { failures: 1, successes: 1 }),
  thresholdRule('Kuma, 2 retries', { failures: 3, successes: 1, retrySeconds: MINUTE / SECOND }),
  thresholdRule('Gatus 3/2', { failures: 3, successes: 2 }),
  sharedQuorumRule('OpenStatus, 3 places', 3),
];
