// @ts-check
// The REST API next to the minimum of a Next route handler: reading one row through Prisma.
import { buildBare, startBare } from './bare.mjs';
import { createTeam, seedMonitors } from './data.mjs';
import { compare, printTable } from './measure.mjs';
import { startProduct } from './product.mjs';

const MONITORS = 10_000;
const BARE = 'bare route, one row';

/** Measures list, read and create of the running product in turns with the bare route. */
export async function run() {
  await buildBare();
  const product = await startProduct();
  try {
    const { key, teamId } = await createTeam(product.url);
    const id = await seedMonitors(product.databaseUrl, teamId, MONITORS);
    const bare = await startBare(product.databaseUrl);
    try {
      const headers = { authorization: `Bearer ${key}` };
      const api = `${product.url}/api/v1/monitors`;
      const body = { type: 'http', name: 'New', config: { url: 'http://127.0.0.1:9/' }, intervalSeconds: 86_400 };
      const whole = { url: `${bare.url}/row?id=${id}` };
      const read = await compare(whole, {
        [`list 50 of ${MONITORS.toLocaleString('en')}`]: { url: `${api}?limit=50`, headers },
        'read one': { url: `${api}/${id}`, headers },
      });
      printTable(BARE, read);
      // Created monitors are checked at once, which affects the next measurement; so create is last, with its own reference.
      const created = await compare(whole, {
        create: {
          url: api,
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        },
      });
      printTable(BARE, created);
    } finally {
      await bare.stop();
    }
  } finally {
    await product.stop();
  }
}
