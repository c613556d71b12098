import { beforeAll, expect, it } from 'vitest';
import { toPlan } from '@/server/checks/schedule/plan';
import { CONFIRM_DEFAULTS } from '@/server/monitor-types/config/confirm';
import { noteDefaults } from '@/server/monitors/note-defaults';
import { db } from '@/server/platform/db';
import { DAY_MS } from '@/server/time/schema';
import { httpMonitor, type Person, rest, signUp } from '@/tests/support/rest';

let person: Person;

beforeAll(async () => {
  person = await signUp('Robin');
});

async function call(method: string, path: string, body: object) {
  const answer = await rest(method, path, { token: person.token, body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.monitor as { id: string; config: Record<string, unknown> };
}

const config = (confirm?: object) => ({ url: 'https://example.com/', ...(confirm && { confirm }) });
const make = (confirm?: object) => call('POST', '/api/v1/monitors', httpMonitor({ config: config(confirm) }));
const storedOf = async (id: string) => db.monitor.findUniqueOrThrow({ where: { id } });

it('stores only what was set of the confirmation, and applies the defaults to the rest', async () => {
  const [plain, set] = [await make(), await make({ failures: 3 })];
  const stored = await Promise.all([plain, set].map(({ id }) => storedOf(id)));
  expect(stored.map((row) => (row.config as { confirm: object }).confirm)).toEqual([{}, { failures: 3 }]);
  for (const row of stored) expect(toPlan(row).policy).toMatchObject(CONFIRM_DEFAULTS);
});

it('keeps it when a monitor is sent back as it was read', async () => {
  for (const confirm of [undefined, { failures: 3, retryDelayMs: 10_000 }]) {
    const monitor = await make(confirm);
    const after = await call('PUT', `/api/v1/monitors/${monitor.id}`, { config: monitor.config });
    expect(after.config).toEqual(monitor.config);
    expect((await storedOf(monitor.id)).version).toBe(1);
  }
});

it('shows how a downtime is confirmed, and until when that takes twice as long for a noisy monitor', async () => {
  const monitors = await Promise.all([
    make(),
    make({ retryDelayMs: 1_000 }),
    call('POST', '/api/v1/monitors', httpMonitor({ config: config(), regions: ['north', 'south'] })),
    call('POST', '/api/v1/monitors', { type: 'heartbeat', name: 'Backup', config: {}, intervalSeconds: 60 }),
  ]);
  const downAfter = () =>
    Promise.all(
      monitors.map(async ({ id }) => {
        const { body } = await rest('GET', `/api/v1/monitors/${id}/detail`, { token: person.token });
        return body.downAfter;
      }),
    );
  const quiet = { noisyUntil: null };
  const usual = [
    { failures: 3, seconds: 20, ...quiet },
    { failures: 3, seconds: 2, ...quiet },
  ];
  const others = [{ failures: 2, seconds: 10, ...quiet }, null];
  expect(await downAfter()).toEqual([...usual, ...others]);
  // A short failure adds a week: one that is not over for six days, and two that are not over for ten.
  const noiseOf = (days: number) =>
    db.monitorState.updateMany({ data: { noiseUntil: new Date(Date.now() + days * DAY_MS) } });
  await noiseOf(6);
  expect(await downAfter()).toEqual([...usual, ...others]);
  await noiseOf(10);
  const [first, ...unchanged] = await downAfter();
  expect(first).toMatchObject({ failures: 3, seconds: 40 });
  expect((Date.parse(first.noisyUntil) - Date.now()) / DAY_MS).toBeCloseTo(3, 2);
  expect(unchanged).toEqual([usual[1], ...others]);
});

it('writes changed defaults once to the audit log of each team with monitors, and changes no monitor', async () => {
  const { id } = await make({ failures: 3 });
  const before = await storedOf(id);
  const changed = { ...CONFIRM_DEFAULTS, failures: 5 };
  await db.$transaction((tx) => noteDefaults(tx, CONFIRM_DEFAULTS));
  const entries = () => db.auditEntry.findMany({ where: { teamId: person.teamId, action: 'monitor.defaults' } });
  expect(await entries()).toEqual([]);
  for (const defaults of [changed, changed]) await db.$transaction((tx) => noteDefaults(tx, defaults));
  expect(await entries()).toMatchObject([
    { actorKind: 'system', before: { failures: CONFIRM_DEFAULTS.failures }, after: { failures: 5 } },
  ]);
  expect(await storedOf(id)).toEqual(before);
});
