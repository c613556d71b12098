// @ts-check
import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts a process's time in hundredths of a second (USER_HZ). */
const TICKS_PER_SECOND = 100;

/** @param {number} pid */
function statOf(pid) {
  // The fields after the program's name, which may contain anything: state, parent, …; utime is the 14th field, followed by stime, cutime and cstime.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const [utime, stime, cutime, cstime] = fields.slice(11, 15).map(Number);
  return {
    parent: Number(fields[1]),
    own: (utime ?? 0) + (stime ?? 0),
    reaped: (cutime ?? 0) + (cstime ?? 0),
  };
}

/** @param {number} parent */
function childrenOf(parent) {
  return readdirSync('/proc').flatMap((name) => {
    try {
      return statOf(Number(name)).parent === parent ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/**
 * Reads the CPU time of a process and its children, including ended ones.
 * @param {number} pid
 */
export function usageOf(pid) {
  const { own, reaped } = statOf(pid);
  const ticks = childrenOf(pid).reduce((sum, child) => sum + statOf(child).own, own + reaped);
  return { cpuSeconds: ticks / TICKS_PER_SECOND };
}

/** @param {number} pid resident memory in MiB */
export function residentOf(pid) {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}
