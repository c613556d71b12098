import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { importFile, undoImport } from '@/cli/main';
import { handleRest } from '@/server/api/rest/handle';
import { db } from '@/server/platform/db';
import { makeKey, signUp } from '@/tests/support/rest';

const folder = mkdtempSync(join(tmpdir(), 'upwatch-import-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const CONFIG = `
alerting: { slack: { webhook-url: https://hooks.slack.com/services/T00/B00/secret } }
endpoints:
  - { name: shop, url: "https://northwind.example/", conditions: ["[STATUS] == 200"], alerts: [{ type: slack }] }
  - { name: box, url: "sctp://northwind.example:22", conditions: ["[CONNECTED] == true"] }
maintenance: { start: "02:00", duration: 30m }
`;

/** Files of YAML have several sources. */
const gatus = { source: 'gatus' };

async function client() {
  const person = await signUp();
  let lines: string[] = [];
  const key = await makeKey(person);
  const context = (json: boolean) => {
    lines = [];
    const print = (text: string) => void lines.push(text);
    return { url: 'http://127.0.0.1:3000', key, fetch: handleRest, env: {}, json, color: false, print };
  };
  const prompts = (yes: boolean) => ({ yes, ask: null, progress: () => {} });
  return {
    person,
    printed: () => lines.join('\n'),
    import: (path: string, { dryRun = false, yes = true, json = false, source = '', map = [] as string[] } = {}) =>
      importFile(
        path,
        { ...(source && { source }), map, dryRun, active: false, history: true },
        context(json),
        prompts(yes),
      ),
    undo: (id: string) => undoImport(id, context(false), prompts(true)),
    monitors: () => db.monitor.count({ where: { teamId: person.teamId } }),
  };
}

it('shows what would be created, creates it once, and undoes it', async () => {
  const upwatch = await client();
  const file = write('config.yaml', CONFIG);
  expect(await upwatch.import(file, { ...gatus, dryRun: true })).toBe(true);
  expect(upwatch.printed()).toContain('+ monitor shop (https → HTTP)');
  expect(upwatch.printed()).toContain('- monitor box (sctp) is not carried over: SCTP is not supported.');
  expect(upwatch.printed()).toContain(
    'Import: 1 channel, 1 monitor, 1 maintenance window to create, 1 not carried over.',
  );
  expect(upwatch.printed()).not.toContain('B00/secret');
  expect(await upwatch.import(file, { ...gatus, yes: false })).toBe(false);
  expect(upwatch.printed()).toContain('Nothing was created. Run it with --yes.');
  expect(await upwatch.monitors()).toBe(0);

  expect(await upwatch.import(file, gatus)).toBe(true);
  expect(upwatch.printed()).toContain('Imported: 1 channel, 1 monitor, 1 maintenance window created.');
  const [, id = ''] = /--undo (\w{26})/.exec(upwatch.printed()) ?? [];
  expect(await upwatch.monitors()).toBe(1);

  expect(await upwatch.import(file, { ...gatus, json: true })).toBe(true);
  const { preview, report } = JSON.parse(upwatch.printed());
  expect(preview.items).toHaveLength(3);
  expect(report.import.counts.monitor).toMatchObject({ created: 0, kept: 1 });
  expect(await upwatch.monitors()).toBe(1);

  expect(await upwatch.undo(id)).toBe(true);
  expect(upwatch.printed()).toContain('Undone: 1 channel, 1 monitor, 1 maintenance window deleted.');
  expect(await upwatch.monitors()).toBe(0);
}, 60_000);

it('reads a table by the columns that are named', async () => {
  const upwatch = await client();
  const file = write('table.csv', 'Title,"Site, public",URL\nShop,https://northwind.example/,ftp://old.example/\n');
  const map = ['name=Title,url=Site, public'];
  expect(await upwatch.import(file, { dryRun: true, map })).toBe(true);
  expect(upwatch.printed()).toContain('+ monitor Shop (row → HTTP)');
  expect(upwatch.printed()).toContain('Columns that are not used: URL.');
  await expect(upwatch.import(file, { map: ['adress=URL'] })).rejects.toThrow('--map adress=URL: write setting=column');
  await expect(upwatch.import(file, { map: ['url=Link'] })).rejects.toThrow('There is no column “Link”.');
  const config = write('config.yaml', CONFIG);
  await expect(upwatch.import(config, { ...gatus, map })).rejects.toThrow('A file of Gatus has no columns to choose.');
}, 60_000);

it('says what is wrong with a file', async () => {
  const upwatch = await client();
  const list = write('list.json', '{"checks":[]}');
  await expect(upwatch.import(list)).rejects.toThrow(
    'Name the tool that the file is of: --source uptime-kuma, uptime-robot, healthchecks, better-stack,',
  );
  await expect(upwatch.import(list, { source: 'healthchecks' })).rejects.toThrow('it has no checks');
  await expect(upwatch.import(write('empty.yml', ''), gatus)).rejects.toThrow('The file is empty.');
  await expect(upwatch.undo('0'.repeat(26))).rejects.toMatchObject({ status: 404 });
});
