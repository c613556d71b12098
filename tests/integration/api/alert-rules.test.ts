import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { metrics } from '@/server/api/metrics';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';

const RULES = 'deploy/prometheus-rules.yml';
const DASHBOARD = 'deploy/grafana-dashboard.json';
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
const promtool = (...args: string[]) => spawnSync('promtool', args, { encoding: 'utf8' });

it.each([RULES, DASHBOARD])('%s uses only metrics that the product has', async (file) => {
  await db.worker.create({ data: { id: newId(), region: 'eu' } });
  const answer = await metrics(
    new Request('http://127.0.0.1/api/metrics', { headers: { 'x-upwatch-address': '127.0.0.1' } }),
  );
  const present = new Set([...(await answer.text()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  // Those of requests and of the process itself come from the web process.
  const used = new Set(readFileSync(file, 'utf8').match(/\bupwatch_(?!http_)[a-z_]+/g));
  expect(used.size).toBeGreaterThan(10);
  expect([...used].filter((name) => !present.has(name.replace(/_(bucket|count)$/, '')))).toEqual([]);
});

it.runIf(hasPromtool)('fires each alert for its fault, and none while all is well', () => {
  expect(promtool('check', 'rules', RULES)).toMatchObject({ status: 0 });
  expect(promtool('test', 'rules', 'deploy/prometheus-rules.test.yml')).toMatchObject({ status: 0 });
});

it.runIf(hasPromtool)('has a dashboard whose expressions are valid', () => {
  const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8'));
  const expressions = panels.flatMap(({ targets }: { targets: { expr: string }[] }) => targets.map(({ expr }) => expr));
  const rules = expressions.map((expr: string, index: number) => ({ record: `panel_${index}`, expr }));
  const groups = { groups: [{ name: 'dashboard', rules }] };
  const file = join(process.env.DATA_DIR ?? '', 'dashboard.json');
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(groups));
  expect(promtool('check', 'rules', file)).toMatchObject({ status: 0 });
});
