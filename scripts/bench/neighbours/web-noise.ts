// The costly requests of tests/hostile/places, in their own process: of a new team per place, by default ten a second, the rate limit of one key.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { places } from '@/tests/hostile/places';
import { send } from '@/tests/hostile/places/place';
import { signUp } from '@/tests/hostile/places/team';

interface Order {
  url: string;
  databaseUrl: string;
  place: string;
}

const CALLS_PER_SECOND = 10;
let isOver = true;

async function make({ url, databaseUrl, place: name }: Order): Promise<void> {
  const place = places.find((each) => each.name === name);
  if (!place) throw new Error(`There is no place ${name}.`);
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const calls = await place.prepare(await signUp(url, `noisy-${Date.now()}`), client);
  await client.end();
  process.send?.({ ready: true });
  let unanswered = 0;
  const count = (status: number) => {
    if (status === 0 || status >= 500) unanswered += 1;
  };
  isOver = false;
  for (let index = 0; !isOver; index += 1) {
    const call = calls[index % calls.length];
    if (call) void send(url, call).then(count);
    await sleep(1_000 / (place.perSecond ?? CALLS_PER_SECOND));
  }
  process.send?.({ unanswered });
}

process.on('message', (order: Order | { stop: true }) => {
  if ('stop' in order) isOver = true;
  else void make(order);
});
process.on('disconnect', () => process.exit());
process.send?.({ places: places.map(({ name }) => name) });
