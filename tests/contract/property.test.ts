import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { handleRest } from '@/server/api/rest/handle';
import { errorTable } from '@/server/trpc/error-table';
import { createWorld, makeChannel, makeIncident, makeMonitor, makePage, makeWindow } from './operations/world';
import { countChanges, watchChanges } from './property/changes';
import { type Credential, type Generated, requests } from './property/requests';

const RUNS = 10_000;

let ids: string[];
let tokens: Record<Credential, string | null>;

beforeAll(async () => {
  const world = await createWorld();
  const made = [makeMonitor, makeIncident, makeWindow, makeChannel, makePage].map((make) => make(world));
  ids = (await Promise.all(made)).map(({ id }) => id);
  const { owner, outsider, colleagues, keys } = world;
  tokens = {
    owner: owner.token,
    key: keys.all,
    reading: keys.reading,
    viewer: colleagues.viewer.token,
    outsider: outsider.token,
    none: null,
    garbage: 'uw_garbage',
  };
  await watchChanges();
});

async function send({ method, path, credential, headers, body }: Generated) {
  const token = tokens[credential];
  const request = new Request(`http://127.0.0.1:3000${path}`, {
    method,
    headers: { ...headers, ...(token !== null && { authorization: `Bearer ${token}` }) },
    ...(body !== null && { body: body as BodyInit }),
  });
  const response = await handleRest(request);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function assertEnvelope(status: number, text: string): void {
  const { error, ...beside } = JSON.parse(text);
  const { code, message, status: stated, issues, ...more } = error;
  expect({ ...beside, ...more }).toEqual({});
  expect(errorTable).toHaveProperty(code);
  expect([stated, errorTable[code as keyof typeof errorTable].status]).toEqual([status, status]);
  expect(message).toEqual(expect.stringMatching(/./));
  if (code === 'VALIDATION_ERROR') expect(issues).toEqual(expect.any(Array));
  else expect(issues).toBeUndefined();
}

it(`answers ${RUNS} generated requests as documented, and a rejected one changes nothing`, {
  timeout: 600_000,
}, async () => {
  const seen = new Map<number, number>();
  let before = await countChanges();
  await fc.assert(
    fc.asyncProperty(requests(ids), async (generated) => {
      const { status, headers, text } = await send(generated);
      seen.set(status, (seen.get(status) ?? 0) + 1);
      const after = await countChanges();
      const changed = after - before;
      before = after;
      expect(status, text).toBeLessThan(500);
      expect(headers.get('x-request-id')).toBeTruthy();
      if (generated.method === 'HEAD' || status === 204) expect(text).toBe('');
      else if (status >= 400) assertEnvelope(status, text);
      else expect(typeof JSON.parse(text)).toBe('object');
      if (status >= 400 || ['GET', 'HEAD', 'OPTIONS'].includes(generated.method)) expect(changed).toBe(0);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  // Otherwise the generated requests have drifted away from valid ones, and the test proves little.
  for (const status of [200, 201, 400, 401, 403, 404, 405, 415]) expect(seen.get(status) ?? 0).toBeGreaterThan(0);
});
