import { beforeAll, expect, it } from 'vitest';
import { appRouter } from '@/server/api/router';
import { type ImportSource, importSources, PART_BYTES } from '@/server/imports/schema';
import { seal, sha256, unseal } from '@/server/platform/crypto';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { createContext } from '@/server/trpc/context';
import { kumaDatabase } from '@/tests/support/kuma-database';
import { longestShare } from '@/tests/support/longest-share';
import { join, type Person, signUp } from '@/tests/support/rest';

type Page = ReturnType<typeof appRouter.createCaller>;

async function pageOf({ userId }: Person): Promise<Page> {
  const session = await db.session.findFirstOrThrow({ where: { userId }, orderBy: { createdAt: 'desc' } });
  await db.session.update({ where: { id: session.id }, data: { kind: 'dashboard' } });
  const credential = { kind: 'session' as const, sid: session.id, userId, sv: session.sessionVersion };
  return appRouter.createCaller({ ...(await createContext('dashboard', new Headers())), credential });
}

async function upload(page: Page, file: Buffer, source: ImportSource = 'uptime-kuma'): Promise<string> {
  const { import: created } = await page.imports.create({ source, fileName: 'kuma.db', bytes: file.length });
  for (let position = 0; position * PART_BYTES < file.length; position += 1) {
    const data = file.subarray(position * PART_BYTES, (position + 1) * PART_BYTES).toString('base64');
    await page.imports.addPart({ id: created.id, position, data });
  }
  return created.id;
}

async function run(page: Page, id: string) {
  for (;;) {
    const { import: progress } = await page.imports.run({ id });
    if (progress.state !== 'running') return progress;
  }
}

async function undo(page: Page, id: string, includeChanged = false) {
  for (;;) {
    const { import: progress } = await page.imports.undo({ id, includeChanged });
    if (progress.state !== 'undoing') return progress;
  }
}

const day = Math.floor(Date.now() / 86_400_000);
let file: Buffer;

function makeFile(token: string): Promise<Buffer> {
  const url = 'https://northwind.example/';
  return kumaDatabase(
    {
      monitor: [
        { id: 1, type: 'http', name: 'Shop', url, maxretries: 1, retry_interval: 20, interval: 20 },
        { id: 2, type: 'push', name: 'Job', push_token: token, interval: 3600 },
        { id: 3, type: 'ping', name: 'Gateway', hostname: '192.0.2.1' },
        { id: 4, type: 'docker', name: 'nginx' },
      ],
      notification: [
        { id: 1, name: 'Chat', config: '{"type":"slack","slackwebhookURL":"https://hooks.slack.com/services/T/B/X"}' },
      ],
      monitor_notification: [{ monitor_id: 1, notification_id: 1 }],
      maintenance: [
        {
          id: 1,
          title: 'Nightly',
          strategy: 'recurring-interval',
          start_time: '02:00',
          end_time: '03:00',
          interval_day: 1,
        },
      ],
      monitor_maintenance: [{ monitor_id: 1, maintenance_id: 1 }],
      status_page: [{ id: 1, slug: 'northwind', title: 'Northwind' }],
      group: [{ id: 1, weight: 1, status_page_id: 1 }],
      monitor_group: [
        { monitor_id: 3, group_id: 1, weight: 1 },
        { monitor_id: 1, group_id: 1, weight: 2 },
      ],
      stat_daily: [1, 2, 3].map((ago) => ({ monitor_id: 1, timestamp: (day - ago) * 86_400, up: 4_200, down: 120 })),
      setting: [{ key: 'jwtSecret', value: 'one' }],
    },
    { version: 2 },
  );
}

beforeAll(async () => {
  file = await makeFile('Ab3dEf6hIj');
}, 60_000);

const counts = async (teamId: string) => ({
  monitors: await db.monitor.count({ where: { teamId } }),
  channels: await db.channel.count({ where: { teamId } }),
  windows: await db.maintenanceWindow.count({ where: { teamId } }),
  pages: await db.statusPage.count({ where: { teamId } }),
});
const nothing = { monitors: 0, channels: 0, windows: 0, pages: 0 };
const everything = { monitors: 3, channels: 1, windows: 1, pages: 1 };

it('previews a file without creating anything, imports it, and imports nothing of it twice', async () => {
  const person = await signUp();
  const { teamId } = person;
  const page = await pageOf(person);
  // A token of its own, because no two heartbeats can have the same.
  const token = newId().slice(-16);
  const own = await makeFile(token);
  const id = await upload(page, own);
  const preview = await page.imports.read({ id });
  expect(preview.items.map(({ kind, name, becomes }) => `${kind} ${name} ${becomes}`)).toEqual([
    'channel Chat Slack',
    'monitor Shop HTTP',
    'monitor Job Heartbeat',
    'monitor Gateway Ping',
    'window Nightly Maintenance window',
    'page Northwind Status page',
  ]);
  expect(preview.leftOut).toEqual([{ kind: 'monitor', name: 'nginx', from: 'docker', reason: expect.any(String) }]);
  expect(JSON.stringify(preview)).not.toContain('services/T/B/X');
  expect(JSON.stringify(preview)).not.toContain(token);
  expect(await counts(teamId)).toEqual(nothing);
  const stored = await db.import.findUniqueOrThrow({ where: { id }, include: { parts: true } });
  expect(stored).toMatchObject({ parts: [], draft: expect.not.stringContaining('northwind') });

  await page.imports.start({ id, startPaused: false });
  const done = await run(page, id);
  expect(done).toMatchObject({ state: 'done', counts: { monitor: { total: 3, created: 3, failed: 0 } } });
  expect(await counts(teamId)).toEqual(everything);
  expect((await db.import.findUniqueOrThrow({ where: { id } })).draft).toBeNull();

  const monitors = await db.monitor.findMany({
    where: { teamId },
    orderBy: { name: 'asc' },
    include: { channels: true },
  });
  const [gateway, job, shop] = monitors;
  expect(shop).toMatchObject({ isActive: true, allChannels: false, channels: [{ monitorId: shop?.id }] });
  expect(job).toMatchObject({ type: 'heartbeat', intervalSeconds: 3600, pingTokenHash: sha256(token) });
  const shown = await db.statusPageMonitor.findMany({
    where: { statusPage: { teamId } },
    orderBy: { position: 'asc' },
  });
  expect(shown.map(({ monitorId }) => monitorId)).toEqual([gateway?.id, shop?.id]);
  const days = await db.checkDay.findMany({ where: { monitorNum: shop?.num ?? 0 }, orderBy: { day: 'asc' } });
  const interval = shop?.intervalSeconds ?? 0;
  const msOf = Math.min(interval * 1000, 86_400_000 / 4_320);
  expect(days.map((row) => [row.day, row.checks, row.upMs, row.downMs])).toEqual(
    [3, 2, 1].map((ago) => [day - ago, 4_320, Math.round(4_200 * msOf), Math.round(120 * msOf)]),
  );

  const again = await upload(page, own);
  const second = await page.imports.read({ id: again });
  expect(second.items.every(({ existing }) => existing?.isImported)).toBe(true);
  await page.imports.start({ id: again, update: [`monitor:1`] });
  expect(await run(page, again)).toMatchObject({ counts: { monitor: { kept: 2, updated: 1 }, channel: { kept: 1 } } });
  expect(await counts(teamId)).toEqual(everything);
  expect((await db.monitor.findUniqueOrThrow({ where: { id: shop?.id ?? '' } })).isActive).toBe(true);
  expect((await undo(page, again)).counts.monitor).toMatchObject({ kept: 2, updated: 1, deleted: 0 });
  expect(await counts(teamId)).toEqual(everything);
}, 60_000);

it('undoes an import, but leaves what was changed or is used elsewhere unless asked', async () => {
  const person = await signUp();
  const { teamId } = person;
  const page = await pageOf(person);
  const first = await upload(page, file);
  await page.imports.read({ id: first });
  await page.imports.start({ id: first });
  await run(page, first);
  expect(await db.monitor.count({ where: { teamId, isActive: false } })).toBe(3);
  // Resuming is no change.
  const { monitors } = await page.monitors.list({});
  await page.monitors.bulk({ action: 'resume', ids: monitors.map(({ id }) => id) });
  expect(await undo(page, first)).toMatchObject({ state: 'undone', counts: { monitor: { deleted: 3, left: 0 } } });
  expect(await counts(teamId)).toEqual(nothing);

  const second = await upload(page, file);
  await page.imports.read({ id: second });
  await page.imports.start({ id: second, skip: ['page:1', 'window:1'] });
  await run(page, second);
  const [gateway, , shop] = await db.monitor.findMany({ where: { teamId }, orderBy: { name: 'asc' } });
  await page.monitors.update({ id: shop?.id ?? '', name: 'My shop' });
  await page.statusPages.create({ slug: `own-${teamId.toLowerCase()}`, title: 'Own', monitorIds: [gateway?.id ?? ''] });
  expect((await undo(page, second)).counts.monitor).toMatchObject({ deleted: 1, left: 2 });
  const { items } = await page.imports.get({ id: second });
  expect(items.map(({ name, outcome, note }) => [name, outcome, note])).toEqual([
    ['Chat', 'left', 'Another monitor uses it.'],
    ['Shop', 'left', 'It was changed since the import.'],
    ['Gateway', 'left', 'A status page shows it.'],
  ]);
  expect((await undo(page, second, true)).counts.monitor).toMatchObject({ deleted: 3, left: 0 });
  expect(await counts(teamId)).toEqual({ ...nothing, pages: 1 });
});

it('leaves what somebody edited or uses elsewhere when it undoes an import, and says why', async () => {
  const person = await signUp();
  const { teamId } = person;
  const page = await pageOf(person);
  const id = await upload(page, file);
  await page.imports.read({ id });
  await page.imports.start({ id });
  await run(page, id);
  const { statusPages } = await page.statusPages.list({});
  await page.statusPageComponents.create({ statusPageId: statusPages[0]?.id ?? '', name: 'Phone' });
  const chat = await db.channel.findFirstOrThrow({ where: { teamId } });
  const gateway = await db.monitor.findFirstOrThrow({ where: { teamId, name: 'Gateway' } });
  await db.channel.update({ where: { id: chat.id }, data: { mutedEvents: ['monitor.degraded'] } });
  const window = await db.maintenanceWindow.findFirstOrThrow({ where: { teamId } });
  await page.maintenance.update({ id: window.id, checks: 'pause' });
  const own = await db.channel.create({
    data: { id: newId(), teamId, type: 'slack', name: 'Own', config: {}, fallbackChannelId: chat.id },
  });
  await db.channelRoute.create({ data: { channelId: own.id, monitorId: gateway.id } });
  expect(await undo(page, id)).toMatchObject({
    counts: { page: { left: 1 }, window: { left: 1 }, channel: { left: 1 }, monitor: { left: 2, deleted: 1 } },
  });
  const changed = 'It was changed since the import.';
  const { items } = await page.imports.get({ id });
  expect(items.map(({ name, note }) => [name, note])).toEqual([
    ['Chat', changed],
    ['Shop', 'A status page shows it.'],
    ['Gateway', 'The rules of a channel name it.'],
    ['Nightly', changed],
    ['Northwind', changed],
  ]);
  await db.channel.update({ where: { id: chat.id }, data: { mutedEvents: [] } });
  await db.importItem.updateMany({ where: { importId: id, kind: 'monitor' }, data: { outcome: 'deleted' } });
  await db.monitor.deleteMany({ where: { teamId } });
  await db.importItem.updateMany({ where: { importId: id, kind: 'channel' }, data: { outcome: 'created' } });
  const reasonFor = async () => {
    await undo(page, id);
    const report = await page.imports.get({ id });
    await db.importItem.updateMany({ where: { importId: id, kind: 'channel' }, data: { outcome: 'created' } });
    return report.items.find(({ name }) => name === 'Chat')?.note;
  };
  expect(await reasonFor()).toBe('It is the fallback of another channel.');
  await db.channel.delete({ where: { id: own.id } });
  await db.team.update({ where: { id: teamId }, data: { fallbackChannelId: chat.id } });
  expect(await reasonFor()).toBe('It is the fallback of the team.');
  await db.team.update({ where: { id: teamId }, data: { fallbackChannelId: null } });
  const steps = [{ waitMinutes: 5, targets: [{ type: 'channel' as const, id: chat.id }] }];
  await page.escalationPolicies.create({ name: 'Night', steps });
  expect(await reasonFor()).toBe('An escalation policy notifies it.');
});

it('continues after an item that the database refuses', async () => {
  const person = await signUp();
  const page = await pageOf(person);
  const id = await upload(page, file);
  await page.imports.read({ id });
  await page.imports.start({ id, skip: ['page:1'] });
  const { draft } = await db.import.findUniqueOrThrow({ where: { id } });
  const damaged = unseal(draft ?? '').replaceAll('"Shop"', String.raw`"Sh\u0000p"`);
  await db.import.update({ where: { id }, data: { draft: seal(damaged) } });
  expect(await run(page, id)).toMatchObject({ state: 'done', counts: { monitor: { failed: 1, created: 2 } } });
  const { items } = await page.imports.get({ id });
  expect(items[0]).toMatchObject({ name: 'Shop', outcome: 'failed', note: 'One of its settings cannot be stored.' });
});

it('is done at once without anything to create, and refuses a fourth running import', async () => {
  const page = await pageOf(await signUp());
  for (let count = 0; count < 3; count += 1) {
    const id = await upload(page, file);
    await page.imports.read({ id });
    await page.imports.start({ id, skip: ['page:1'] });
  }
  const [source] = importSources;
  await expect(page.imports.create({ source, fileName: 'kuma.db', bytes: 1 })).rejects.toThrow(
    '3 imports are running.',
  );
  const { imports } = await page.imports.list();
  await undo(page, imports[0]?.id ?? '');
  expect((await db.import.findUniqueOrThrow({ where: { id: imports[0]?.id ?? '' } })).draft).toBeNull();
  const small = Buffer.from('{"monitorList":[{"id":1,"type":"ping","name":"A","hostname":"a"}]}');
  const last = await upload(page, small);
  await page.imports.read({ id: last });
  const { import: done } = await page.imports.start({ id: last, skip: ['monitor:1'] });
  expect(done).toMatchObject({ state: 'done', endedAt: expect.any(String) });
  expect((await db.import.findUniqueOrThrow({ where: { id: last } })).draft).toBeNull();
});

it('gives a heartbeat a new URL, and says so, if another one has its token', async () => {
  const token = newId().slice(-16);
  const own = await makeFile(token);
  const hashes = [];
  const notes = [];
  for (const person of [await signUp(), await signUp()]) {
    const page = await pageOf(person);
    const id = await upload(page, own);
    await page.imports.read({ id });
    await page.imports.start({ id, skip: ['page:1'] });
    await run(page, id);
    const { pingTokenHash } = await db.monitor.findFirstOrThrow({
      where: { teamId: person.teamId, type: 'heartbeat' },
    });
    hashes.push(pingTokenHash === sha256(token));
    notes.push((await page.imports.get({ id })).items.map(({ note }) => note));
  }
  expect(hashes).toEqual([true, false]);
  expect(notes).toEqual([[], ['It has a new ping URL. Update the job that pings it.']]);
});

it('creates each object once if two imports of the same file run at once', async () => {
  const person = await signUp();
  const page = await pageOf(person);
  const ids = [await upload(page, file), await upload(page, file)];
  for (const id of ids) await page.imports.read({ id });
  await Promise.all(ids.map((id) => page.imports.start({ id })));
  await expect(page.imports.start({ id: ids[0] ?? '' })).rejects.toThrow('This import has started.');
  const done = await Promise.all([...ids, ...ids].map((id) => run(page, id)));
  expect(done.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done']);
  expect(await counts(person.teamId)).toEqual(everything);
});

it('continues an import that was interrupted after an object was created', async () => {
  const person = await signUp();
  const page = await pageOf(person);
  const id = await upload(page, file);
  await page.imports.read({ id });
  await page.imports.start({ id });
  await run(page, id);
  const draft = await db.import.findFirstOrThrow({ where: { id } });
  expect(draft.state).toBe('done');
  // As a process that ended between the creation of the monitor and its result leaves it.
  const other = await upload(page, file);
  await page.imports.read({ id: other });
  const { draft: sealed } = await db.import.findUniqueOrThrow({ where: { id: other } });
  await db.import.update({ where: { id }, data: { state: 'running', draft: sealed } });
  await db.importItem.updateMany({
    where: { importId: id, key: '3', kind: 'monitor' },
    data: { outcome: 'started', fingerprint: null },
  });
  expect((await run(page, id)).counts.monitor).toMatchObject({ created: 3, failed: 0 });
  expect(await counts(person.teamId)).toEqual(everything);
  await undo(page, id);
  expect(await counts(person.teamId)).toEqual(nothing);
});

it('does not take the objects that another import of the same file created while it was interrupted', async () => {
  const person = await signUp();
  const page = await pageOf(person);
  const [first = '', second = ''] = [await upload(page, file), await upload(page, file)];
  for (const id of [first, second]) {
    await page.imports.read({ id });
    await page.imports.start({ id });
  }
  // As a process that ended before the creation of the first objects leaves it.
  await db.importItem.updateMany({ where: { importId: first }, data: { outcome: 'started', objectId: newId() } });
  await run(page, second);
  expect((await run(page, first)).counts.monitor).toMatchObject({ created: 0, kept: 3 });
  await undo(page, first);
  expect(await counts(person.teamId)).toEqual(everything);
  await undo(page, second);
  expect(await counts(person.teamId)).toEqual(nothing);
});

it('leaves what an interrupted import had just created when it is undone, and deletes it if asked', async () => {
  const person = await signUp();
  const page = await pageOf(person);
  const id = await upload(page, file);
  await page.imports.read({ id });
  await page.imports.start({ id });
  await run(page, id);
  await db.import.update({ where: { id }, data: { state: 'running' } });
  await db.importItem.updateMany({
    where: { importId: id, key: '3', kind: 'monitor' },
    data: { outcome: 'started', fingerprint: null },
  });
  await undo(page, id);
  expect(await counts(person.teamId)).toEqual({ ...nothing, monitors: 1 });
  const { items } = await page.imports.get({ id });
  expect(items).toMatchObject([{ outcome: 'left', note: 'The import was interrupted after it was created.' }]);
  await undo(page, id, true);
  expect(await counts(person.teamId)).toEqual(nothing);
});

it('refuses an import that exceeds the plan before it creates anything', async () => {
  const person = await signUp();
  await db.team.update({ where: { id: person.teamId }, data: { plan: 'free' } });
  const page = await pageOf(person);
  const monitor = Array.from({ length: 21 }, (_, index) => ({ type: 'ping', name: `${index}`, hostname: 'a' }));
  const id = await upload(page, await kumaDatabase({ monitor }));
  const preview = await page.imports.read({ id });
  expect(preview.monitors).toEqual({ present: 0, most: 20 });
  await expect(page.imports.start({ id })).rejects.toThrow(
    'The free plan allows 20 monitors: 0 exist, and 21 would be added.',
  );
  expect(await counts(person.teamId)).toEqual(nothing);
  await page.imports.start({ id, skip: ['monitor:1'] });
  expect((await run(page, id)).counts.monitor).toMatchObject({ created: 20, failed: 0 });
});

it('is for members of the team only', async () => {
  const person = await signUp();
  const id = await upload(await pageOf(person), file);
  const viewer = await pageOf(await join(person, 'viewer'));
  await expect(viewer.imports.list()).rejects.toThrow('requires the role member');
  const stranger = await pageOf(await signUp());
  const unknown = 'There is no such import.';
  await expect(stranger.imports.read({ id })).rejects.toThrow(unknown);
  await expect(stranger.imports.addPart({ id, position: 0, data: '' })).rejects.toThrow(unknown);
  await expect(stranger.imports.run({ id })).rejects.toThrow(unknown);
  await expect(stranger.imports.undo({ id })).rejects.toThrow(unknown);
});

it('refuses an incomplete upload and a file of another program', async () => {
  const page = await pageOf(await signUp());
  const id = await upload(page, file);
  await db.importPart.deleteMany({ where: { importId: id, position: 0 } });
  await expect(page.imports.read({ id })).rejects.toThrow('The upload is incomplete.');
  const other = await upload(page, Buffer.from('{"monitors":[]}'));
  await expect(page.imports.read({ id: other })).rejects.toThrow('This file is not a backup of Uptime Kuma');
});

it('keeps a table whose columns are named wrongly, and says which', async () => {
  const page = await pageOf(await signUp('columns@example.test'));
  const id = await upload(page, Buffer.from('Title,Website\nShop,https://northwind.example/\n'), 'csv');
  const issue = { path: 'columns.url', message: expect.stringContaining('There is no column “Webiste”.') };
  await expect(page.imports.read({ id, columns: { url: 'Webiste' } })).rejects.toMatchObject({
    cause: { issues: [issue] },
  });
  const { items } = await page.imports.read({ id, columns: { url: 'Website', name: 'Title' } });
  expect(items).toMatchObject([{ kind: 'monitor', name: 'Shop' }]);
});

it('deletes a file that cannot be read, and pauses for other teams while it decrypts its parts', async () => {
  const person = await signUp();
  const page = await pageOf(person);
  const [source] = importSources;
  const bytes = 20 * 1024 * 1024;
  const { import: made } = await page.imports.create({ source, fileName: 'kuma.db', bytes });
  const data = seal(Buffer.alloc(PART_BYTES, 'x').toString('base64'));
  const parts = Array.from({ length: bytes / PART_BYTES }, (_, position) => ({ importId: made.id, position, data }));
  await db.importPart.createMany({ data: parts });
  const read = async () => page.imports.read({ id: made.id });
  const share = longestShare(async () => expect(read()).rejects.toThrow('This is neither a database nor valid JSON.'));
  expect(await share).toBeLessThan(0.25);
  await expect(read()).rejects.toThrow('The upload is incomplete.');
}, 60_000);

it('starts an import of 5,000 monitors in turns with the work of other teams', async () => {
  const page = await pageOf(await signUp());
  const monitors = Array.from({ length: 5_000 }, (_, id) => {
    return { id, friendly_name: `Site ${id}`, url: `http://a.test/${id}`, type: 1 };
  });
  const list = Buffer.from(JSON.stringify({ monitors }));
  const id = await upload(page, list, 'uptime-robot');
  expect((await page.imports.read({ id })).items).toHaveLength(5_000);
  const start = await longestShare(() => page.imports.start({ id }));
  expect(start).toBeLessThan(0.3);
  const { import: progress } = await page.imports.run({ id });
  expect(progress.counts.monitor).toMatchObject({ total: 5_000, failed: 0 });
  expect(progress.counts.monitor.created).toBeGreaterThan(0);
}, 120_000);

it('keeps the latest twenty ended imports of a team', async () => {
  const person = await signUp();
  const page = await pageOf(person);
  const { teamId } = person;
  const ended = Array.from({ length: 22 }, (_, index) => ({
    id: newId(),
    state: index % 2 === 0 ? ('done' as const) : ('undone' as const),
    ...{ teamId, source: importSources[0] ?? '', fileName: 'kuma.db', bytes: 1, authorName: 'Robin' },
  }));
  await db.import.createMany({ data: ended });
  const ids = ended.map(({ id }) => id).sort();
  const { import: made } = await page.imports.create({ source: importSources[0], fileName: 'kuma.db', bytes: 1 });
  const left = await db.import.findMany({ where: { teamId }, orderBy: { id: 'asc' }, select: { id: true } });
  expect(left.map(({ id }) => id)).toEqual([...ids.slice(2), made.id]);
});

it('creates the components of a Statuspage, completes them after an interruption, and deletes them by an undo', async () => {
  const person = await signUp();
  const page = await pageOf(person);
  const names = ['Website', 'API', 'Mail'];
  const summary = {
    page: { id: newId(), name: 'Northwind', url: '' },
    components: names.map((name) => ({ id: name, name })),
  };
  const id = await upload(page, Buffer.from(JSON.stringify(summary)), 'statuspage');
  await page.imports.read({ id });
  await page.imports.start({ id });
  expect(await run(page, id)).toMatchObject({ counts: { page: { created: 1, failed: 0 } } });
  const own = { statusPage: { teamId: person.teamId } };
  const read = async () => {
    const rows = await db.statusPageComponent.findMany({ where: own, orderBy: { position: 'asc' } });
    return rows.map(({ name }) => name);
  };
  expect(await read()).toEqual(names);

  // As if the process had ended between two components: the page is there, and the item is not marked as created.
  await db.statusPageComponent.deleteMany({ where: { ...own, name: 'Mail' } });
  const again = await upload(
    page,
    Buffer.from(JSON.stringify({ ...summary, page: { ...summary.page, id: newId() } })),
    'statuspage',
  );
  await page.imports.read({ id: again });
  await page.imports.start({ id: again, copy: ['page:page'] });
  const { id: pageId } = await db.statusPage.findFirstOrThrow({ where: { teamId: person.teamId } });
  await db.importItem.updateMany({ where: { importId: again }, data: { outcome: 'started', objectId: pageId } });
  expect(await run(page, again)).toMatchObject({ state: 'done', counts: { page: { created: 1 } } });
  expect(await read()).toEqual(names);
  expect((await undo(page, again)).counts.page).toMatchObject({ deleted: 1 });
  expect(await read()).toEqual([]);
}, 60_000);
