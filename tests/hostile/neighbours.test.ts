import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Figures, Neighbours } from './neighbours';
import { places } from './places';
import { servers } from './setup';

/**
 * The limits tolerate other load on the machine. Without protection, ten calls per second pile up if each takes more than 0.1 s of a thread, so that
 * these times grow many times; a single stall of one second shows in the slowest health response.
 */
const MOST_TIMES = 8;
/** Shorter times depend on other load. */
const FLOOR_MS = 200;

let neighbours: Neighbours;
let alone: Figures;
let pids: ReturnType<Neighbours['pids']>;

const inWords = (figures: Figures) =>
  Object.entries(figures)
    .map(([name, ms]) => `${name} ${Math.round(ms)}`)
    .join(', ');

beforeAll(async () => {
  neighbours = await Neighbours.start();
  pids = neighbours.pids();
  await neighbours.measure([]);
  ({ figures: alone } = await neighbours.measure([]));
  console.log(`Alone, p99 in ms: ${inWords(alone)}`);
}, 240_000);

afterAll(async () => {
  await neighbours?.stop();
  await Promise.all([servers.hostile?.stop(), servers.quiet?.stop()]);
});

it.each(places)(
  'serves another team as when it is alone: $name',
  async (place) => {
    const calls = await neighbours.prepare(place);
    const { figures, statuses, failed } = await neighbours.measure(calls, place.perSecond);
    console.log(`${place.name}: ${inWords(figures)}; statuses ${JSON.stringify(statuses)}`);
    expect(Object.keys(statuses).filter((status) => status === '0' || status >= '500')).toEqual([]);
    expect(failed).toBe(0);
    expect(neighbours.pids()).toEqual(pids);
    for (const [name, ms] of Object.entries(figures)) {
      expect(ms, name).toBeLessThan(MOST_TIMES * Math.max(FLOOR_MS, alone[name as keyof Figures]));
    }
  },
  180_000,
);
