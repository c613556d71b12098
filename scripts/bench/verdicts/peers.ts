// The rules of other tools, by their documents.
import { type Alert, awake, type Rule } from './replay';
import { MINUTE, SECOND } from './traces';

interface Threshold {
  /** Places that check at the same moment. A round fails where half of them do. */
  places: number;
  /** Failing rounds in a row until down, and passing ones until up. */
  failures: number;
  successes: number;
  /** The wait after a failing round that does not decide yet; the interval where it is left out. */
  retrySeconds?: number;
}

/** Rounds of checks, of which a row decides. */
function thresholdRule(name: string, { places, failures, successes, retrySeconds }: Threshold): Rule {
  return {
    name,
    replay(trace, reader, intervalSeconds) {
      const alerts: Alert[] = [];
      let [isDown, row, downSince, downMs] = [false, 0, 0, 0];
      for (let at = 0; at < trace.ms; ) {
        const checkedAt = awake(trace, at);
        const sights = Array.from({ length: places }, (_, place) => reader.see(checkedAt, place));
        const isFailing = sights.filter((sight) => sight.isFailing).length * 2 >= places;
        row = isFailing === isDown ? 0 : row + 1;
        const isTurn = row >= (isDown ? successes : failures);
        if (isTurn) {
          const tookMs = Math.max(...sights.map((sight) => sight.tookMs));
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

export const peers: Rule[] = [
  thresholdRule('Kuma, 0 retries', { places: 1, failures: 1, successes: 1 }),
  thresholdRule('Kuma, 2 retries', { places: 1, failures: 3, successes: 1, retrySeconds: MINUTE / SECOND }),
  thresholdRule('Gatus 3/2', { places: 1, failures: 3, successes: 2 }),
  thresholdRule('OpenStatus, 3 places', { places: 3, failures: 1, successes: 1 }),
];
