// @ts-check
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Reads the proportional set size of a process: its own memory, and its share of shared memory.
 * @param {number} pid
 * @returns {number} bytes; 0 for a process that has ended
 */
export function pssOf(pid) {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** @returns {Map<number, { parent: number, name: string }>} by process ID */
function processes() {
  const found = new Map();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
      found.set(Number(entry), { parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]), name });
    } catch {
      // The process ended in the meantime.
    }
  }
  return found;
}

/** @param {string} name from the system, which truncates it to 15 characters */
function titleOf(name) {
  if (name.startsWith('upwatch-web')) return 'web';
  if (name.startsWith('upwatch-worker')) return 'worker';
  if (name.startsWith('postgres')) return 'database';
  if (name === 'node' || name === 'MainThread') return 'start script';
  return 'other';
}

/**
 * Reads the memory of a process and its descendants, by kind.
 * @param {number} root
 * @returns {Map<string, number>} bytes
 */
export function memoryOf(root) {
  const all = processes();
  const figures = new Map(['web', 'worker', 'database', 'start script', 'other'].map((title) => [title, 0]));
  const isOurs = (/** @type {number} */ pid) => {
    for (let at = pid; at > 1; at = all.get(at)?.parent ?? 0) if (at === root) return true;
    return false;
  };
  for (const [pid, { name }] of all) {
    if (!isOurs(pid)) continue;
    const title = titleOf(name);
    figures.set(title, (figures.get(title) ?? 0) + pssOf(pid));
  }
  return figures;
}
