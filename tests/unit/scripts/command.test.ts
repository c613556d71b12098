import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { endCommands, quietly } from '@/scripts/lib/processes/command.mjs';
import { processesOf } from '@/tests/support/processes';
import { until } from '@/tests/support/receivers';

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
