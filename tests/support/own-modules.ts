import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Sets variables, loads or replaces modules, replaces timers, ends the connections of the process, or says why it must not share modules. */
const HAS_OWN_MODULES = new RegExp(
  [
    /process\.env\.\w+ = |Object\.assign\(process\.env|default-limits|with-(providers|stripe)/,
    /vi\.(hoisted|mock|resetModules|stubEnv)\b/,
    // The clock alone can be replaced: modules read it anew.
    /vi\.useFakeTimers\((?!\{[^}]*toFake: \['Date'\])/,
    /pg_terminate_backend|Modules of its own:/,
  ]
    .map(({ source }) => source)
    .join('|'),
);
/** Tests of migrations, which did not end in a process that had run other files. */
const MIGRATES = /^tests\/integration\/prisma\//;

/** Whether a test file needs modules of its own, which no other file of its process has loaded. */
export const hasOwnModules = (path: string) => HAS_OWN_MODULES.test(readFileSync(path, 'utf8'));

/** The test files of a folder that share loaded modules, and those that run in a process each. */
export function filesOf(folder: string): { shared: string[]; apart: string[] } {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name).replaceAll('\\', '/'));
  const isApart = (path: string) => MIGRATES.test(path) || hasOwnModules(path);
  return { shared: files.filter((path) => !isApart(path)), apart: files.filter(isApart) };
}
