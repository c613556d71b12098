import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface Process {
  pid: number;
  parent: number;
  /** Its title, or its command line. */
  command: string;
}

/** All visible processes of this machine. */
function listProcesses(): Process[] {
  return process.platform === 'linux' ? fromProc() : fromPs();
}

function fromProc(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      // The program's name, which may contain anything, is followed by the state and the parent.
      const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return [{ pid: Number(name), parent: Number(parent), command }];
    } catch {
      return [];
    }
  });
}

function fromPs(): Process[] {
  const lines = execFileSync('ps', ['-axo', 'pid=,ppid=,command='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [pid, parent, ...command] = line.trim().split(/\s+/);
    return { pid: Number(pid), parent: Number(parent), command: command.join(' ') };
  });
}

/** A process's own children that are still running. */
export function childrenOf(pid: number): Process[] {
  return listProcesses().filter(({ parent, command }) => parent === pid && command !== '');
}

export function isAlive(pid: number): boolean {
  return listProcesses().some((each) => each.pid === pid && each.command !== '');
}

/** The processes whose title or command line contains this text. */
export function processesOf(text: string): Process[] {
  return listProcesses().filter(({ command }) => command.includes(text));
}

/**
 * The processes that a start with this text in its environment or command line has started, on Linux; elsewhere those with the text in their command
 * line. PostgreSQL gets an environment of its own, and its directory as an argument.
 */
export function startedWith(text: string): Process[] {
  return listProcesses().filter(({ pid, command }) => {
    if (command.includes(text)) return true;
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(text);
    } catch {
      return false;
    }
  });
}
