import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { pingExamples } from '@/app/(dashboard)/(team)/monitors/_components/detail/ping-examples';

let pings: string[] = [];
const server = createServer((request, response) => {
  pings.push(request.url ?? '');
  response.end('{"ok":true}');
});
let url: string;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/heartbeat/secret`;
});
afterAll(() => void server.close());
beforeEach(() => {
  pings = [];
});

const exampleOf = (wanted: string) => {
  const found = pingExamples(url, { cron: '5 4 * * 1-5', timezone: 'Europe/Berlin' }).find(
    ({ value }) => value === wanted,
  );
  if (!found) throw new Error(`There is no example ${wanted}.`);
  return found.code;
};

/** Runs a program, and returns its exit code and the parts after the ping URL. */
async function run(program: string, args: string[], env: Record<string, string> = {}) {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  return { code, signals: pings.map((path) => path.slice('/api/heartbeat/secret'.length)) };
}

const shell = (code: string, job: string, env = {}) =>
  run('sh', ['-c', code.replace(/(\/usr\/local\/bin\/)?backup(?=[;\n])/, job)], env);
const hasPython = spawnSync('python3', ['--version']).status === 0;

describe('the examples of pings', () => {
  it.each([
    ['succeeds', 'true', 0],
    ['fails', '(exit 3)', 3],
  ])('send what a job does that %s', async (_, job, code) => {
    expect(await shell(exampleOf('shell'), job)).toEqual({ code, signals: ['/start', `/${code}`] });
    pings = [];
    const { spec } = parse(exampleOf('kubernetes'));
    const [container] = spec.jobTemplate.spec.template.spec.containers;
    expect(await shell(container.args[0], job)).toEqual({ code, signals: ['/start', `/${code}`] });
    expect([spec.schedule, spec.timeZone]).toEqual(['5 4 * * 1-5', 'Europe/Berlin']);
    pings = [];
    const [, schedule, command = ''] = /^((?:\S+ ){5})(.*)$/.exec(exampleOf('cron')) ?? [];
    expect(schedule).toBe('5 4 * * 1-5 ');
    expect((await shell(command, job)).signals).toEqual([`/${code}`]);
  });

  it.each([
    ['success', '/0'],
    ['exit-code', '/fail'],
    ['timeout', '/fail'],
  ])('send the result %s of a unit of systemd', async (SERVICE_RESULT, signal) => {
    const [, command = ''] = /^ExecStopPost=-\/bin\/sh -c '(.*)'$/m.exec(exampleOf('systemd')) ?? [];
    expect((await run('sh', ['-c', command.replaceAll('$$', '$')], { SERVICE_RESULT })).signals).toEqual([signal]);
  });

  it('send one ping with curl', async () => {
    expect(await run('sh', ['-c', exampleOf('curl')])).toEqual({ code: 0, signals: [''] });
  });

  it.each([
    ['succeeds', '', 0, ['/start', '']],
    ['fails', "throw new Error('no')", 1, ['/start', '/fail']],
  ])('send what a job in Node.js does that %s', async (_, job, code, signals) => {
    const program = `const runJob = async () => { ${job} };\n${exampleOf('node')}`;
    expect(await run(process.execPath, ['--input-type=module', '-e', program])).toEqual({ code, signals });
  });

  it.skipIf(!hasPython).each([
    ['succeeds', 'pass', 0, ['/start', '']],
    ['fails', 'raise SystemExit(1)', 1, ['/start', '/fail']],
  ])('send what a job in Python does that %s', async (_, job, code, signals) => {
    const program = `def run_job():\n    ${job}\n${exampleOf('python')}`;
    expect(await run('python3', ['-c', program])).toEqual({ code, signals });
  });
});
