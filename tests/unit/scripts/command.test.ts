import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { processesOf } from '@/tests/support/processes';
import { until } from '@/tests/support/receivers';

let endCommands: typeof import('@/scripts/lib/processes/command.mjs').endCommands;
let quietly: typeof import('@/scripts/lib/processes/command.mjs').quietly;

/** A stop is final for its process, so each test has a module of its own. */
beforeEach(async () => {
  vi.resetModules();
  ({ endCommands, quietly } = await import('@/scripts/lib/processes/command.mjs'));
});

/** A program that ignores the request to stop, as npm does. It creates `mark` when it receives one. */
function stubborn(mark: string): string {
  const deaf = "for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => undefined);";
  const title = `process.title = ${JSON.stringify(mark.split('-'))}.join('-');`;
  return `${deaf} ${title} setInterval(() => undefined, 1000);`;
}

test('waits for a command on stop, and kills one that goes on', async () => {
  const mark = `stubborn-stop-${process.pid}`;
  const failed = expect(quietly('It', process.execPath, ['-e', stubborn(mark)])).rejects.toThrow('It failed (');
  await until(() => processesOf(mark).length > 0);
  await endCommands();
  expect(processesOf(mark)).toEqual([]);
  await failed;
});

test('kills what a command that stopped has left behind', async () => {
  const mark = `stubborn-child-${process.pid}`;
  const child = JSON.stringify(stubborn(mark));
  const code = `require('node:child_process').spawn(process.execPath, ['-e', ${child}], { stdio: 'ignore' }); setInterval(() => undefined, 1000);`;
  const failed = expect(quietly('It', process.execPath, ['-e', code])).rejects.toThrow('It failed (');
  await until(() => processesOf(mark).length > 0);
  await endCommands();
  await until(() => processesOf(mark).length === 0);
  await failed;
});

test('starts no command after a stop', async () => {
  await endCommands();
  await expect(quietly('It', process.execPath, ['-e', ''])).rejects.toThrow('The start was stopped.');
});

test('ends a command whose parent is gone', async () => {
  const mark = `stubborn-orphan-${process.pid}`;
  const code = `
    const { quietly } = await import(${JSON.stringify(resolve('scripts/lib/processes/command.mjs'))});
    await quietly('It', process.execPath, ['-e', Buffer.from('${Buffer.from(stubborn(mark)).toString('base64')}', 'base64').toString()]);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' });
  onTestFinished(() => void parent.kill('SIGKILL'));
  await until(() => processesOf(mark).length > 0);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  await until(() => processesOf(mark).length === 0);
});

test('keeps the output of a failed command', async () => {
  const failing = quietly('It', process.execPath, ['-e', 'console.log("why"); process.exit(3)']);
  await expect(failing).rejects.toMatchObject({ message: 'It failed (3).', details: 'why' });
});
