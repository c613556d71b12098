import { beforeAll, expect, it } from 'vitest';
import { toPlan } from '@/server/checks/schedule/plan';
import { CONFIRM_DEFAULTS } from '@/server/monitor-types/config/confirm';
import { noteDefaults } from '@/server/monitors/note-defaults';
import { db } from '@/server/platform/db';
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
