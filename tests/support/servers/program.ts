import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { freePort } from '@/scripts/lib/ports.mjs';
import { until } from '../receivers';

/** Servers of Debian are in a folder that a user's search path may lack. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

/** Whether this machine has a program. */
export function hasProgram(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { env, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(() => resolve(true)));
    socket.once('error', () => resolve(false));
  });

export interface Program {
  port: number;
  folder: string;
  stop(): Promise<void>;
}

/**
 * Starts a server program on a free port of loopback, in a temporary folder with these files, and waits until it accepts connections.
 * @param args its arguments, for the port and the folder
 */
export async function startProgram(
  name: string,
  args: (port: number, folder: string) => string[],
  files: Record<string, string> = {},
): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), `upwatch-${basename(name)}-`));
  await chmod(folder, 0o755);
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text, { mode: 0o644 });
  const port = await freePort();
  const child = spawn(name, args(port, folder), { cwd: folder, stdio: 'ignore', env });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await until(() => accepts(port), 20_000, `The start of ${name}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, folder, stop };
}
