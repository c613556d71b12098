import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkImports } from '@/scripts/check-imports.mjs';

/** A small project that follows every rule. */
const CLEAN: Record<string, string> = {
  'app/page.tsx':
    "import { call } from '@/server/api/caller';\nimport { session } from '@/server/auth/session';\nimport './form';",
  'app/form.tsx':
    "'use client';\nimport { Input } from '@/server/monitor-lists/schema';\nimport type { AppRouter } from '@/server/api/router';\nimport { shared } from './shared';",
  'app/shared.ts': "import { Input } from '@/server/monitor-lists/schema';",
  'server/api/caller.ts': "import { appRouter } from './router';\nimport 'server-only';",
  'server/api/router.ts': "import { monitorsRouter } from '@/server/monitors/router';",
  'server/trpc/procedures.ts': "import { db } from '@/server/platform/db';",
  'server/auth/session.ts': "import { db } from '@/server/platform/db';",
  'server/monitor-lists/schema.ts':
    "import { z } from 'zod';\nimport { http } from './http/config';\nimport type { Row } from '@/server/platform/db';",
  'server/monitor-lists/http/config.ts': "import { z } from 'zod';",
  'server/monitors/queries.ts': "import { db } from '@/server/platform/db';\ndb.$queryRaw`select 1`;",
  'server/monitors/list-queries.ts': "import { db } from '@/server/platform/db';\ndb.$executeRaw`select 1`;",
  'server/history/read-known.ts': "import { db } from '@/server/platform/db';\ndb.$queryRaw`select 1`;",
  'server/checks/schedule/claim.ts':
    "import { db } from '@/server/platform/db';\ndb.$queryRaw`select 1 for update skip locked`;",
  'server/platform/locks.ts': "import { db } from './db';\ndb.$queryRaw`select 1 for update`;",
  'server/monitors/router.ts':
    "import { teamProcedure } from '@/server/trpc/procedures';\nimport { createMonitor } from './create-monitor';",
  'server/monitors/create-monitor.ts':
    "import { queries } from './queries';\nimport { record } from '@/server/audit/record-audit';\nimport type { Verdict } from '@/server/monitor-types/probing/observation';",
  'server/audit/record-audit.ts': "import { db } from '@/server/platform/db';",
  'server/monitor-types/http/types.ts': 'export interface Verdict {}',
  'server/monitor-types/http/pattern.ts': "import { RE2JS } from 're2js';",
  'server/monitor-types/http/assertions.ts':
    "import { search } from './pattern';\nimport type { Verdict } from './types';",
  'server/checks/verdict/transition.ts':
    "import type { Monitor } from '@/server/monitor-types/schema';\nexport const later = (now: Date) => new Date(now.getTime() + 1);",
  'server/checks/run/run.ts':
    "import { search } from './pattern';\nimport { db } from '@/server/platform/db';\nDate.now();",
  'server/platform/db.ts': "import { env } from './env';\nimport pg from 'pg';",
  'server/platform/env.ts': 'export const env = process.env;',
  'server/worker/main.ts': "import { run } from '@/server/checks/run/run';",
  'scripts/tool.mjs': "import '../server/platform/db';\nprocess.env.HOME;",
};

function rulesBrokenBy(changes: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'upwatch-house-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [file, code] of Object.entries({ ...CLEAN, ...changes })) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), code);
  }
  return [...new Set(checkImports(root).map(({ file, rule }) => `${rule}: ${file}`))];
}

test('accepts a project that follows every rule', () => {
  expect(rulesBrokenBy({})).toEqual([]);
});

const CLIENT = "'use client';\n";

test.each<[what: string, file: string, code: string, rule: string]>([
  ['the command line imports a verb', 'cli/apply.ts', "import '@/server/monitors/create-monitor';", 'cli'],
  ['the command line imports the database', 'cli/apply.ts', "import { db } from '@/server/platform/db';", 'cli'],
  ['a client imports a verb', 'app/form.tsx', `${CLIENT}import '@/server/monitors/create-monitor';`, 'client'],
  [
    'a client imports the type of a verb',
    'app/form.tsx',
    `${CLIENT}import type { A } from '@/server/monitors/queries';`,
    'client',
  ],
  [
    'a client imports the router itself',
    'app/form.tsx',
    `${CLIENT}import { AppRouter } from '@/server/api/router';`,
    'client',
  ],
  [
    'a client imports another type of the router',
    'app/form.tsx',
    `${CLIENT}import type { B } from '@/server/api/router';`,
    'client',
  ],
  [
    'a client imports the server dynamically',
    'app/form.tsx',
    `${CLIENT}await import('@/server/platform/db');`,
    'client',
  ],
  ['a module of a client imports the server', 'app/shared.ts', "export { db } from '../server/platform/db';", 'client'],
  [
    'a page loads the definitions of monitor types',
    'app/shared.ts',
    "import { definitionOf } from '@/server/monitor-types/schema';",
    'weight',
  ],
  ['a client imports all of radix-ui', 'app/form.tsx', `${CLIENT}import { Dialog } from 'radix-ui';`, 'weight'],
  [
    'a schema loads the database',
    'server/monitor-lists/schema.ts',
    "import { db } from '../platform/db';",
    'client-reach',
  ],
  [
    'a module of a schema uses Node',
    'server/monitor-lists/http/config.ts',
    "import { isIP } from 'node:net';",
    'client-reach',
  ],
  ['a page imports the database', 'app/page.tsx', "import { db } from '@/server/platform/db';", 'app'],
  ['a page imports a verb', 'app/page.tsx', "import { createMonitor } from '@/server/monitors/create-monitor';", 'app'],
  ['the proxy imports a verb', 'proxy.ts', "import { createMonitor } from './server/monitors/create-monitor';", 'app'],
  [
    "a verb imports another domain's queries",
    'server/audit/record-audit.ts',
    "import '@/server/monitors/queries';",
    'domain',
  ],
  ['a verb imports the procedures', 'server/audit/record-audit.ts', "import '@/server/trpc/procedures';", 'domain'],
  ['a router imports more of the api', 'server/monitors/router.ts', "import '@/server/api/caller';", 'domain'],
  ['a verb imports a page', 'server/audit/record-audit.ts', "import '@/app/shared';", 'domain'],
  ['a verb imports the worker', 'server/audit/record-audit.ts', "import '@/server/worker/main';", 'domain'],
  ['a verb runs checks', 'server/audit/record-audit.ts', "import { run } from '@/server/checks/run/run';", 'domain'],
  ['a verb imports Next', 'server/audit/record-audit.ts', "import { headers } from 'next/headers';", 'domain'],
  ['the engine imports the api', 'server/checks/run/run.ts', "import '@/server/api/router';", 'checks'],
  ['the engine imports procedures', 'server/checks/run/run.ts', "import '@/server/trpc/procedures';", 'checks'],
  ['trpc imports a domain', 'server/trpc/procedures.ts', "import '@/server/monitors/create-monitor';", 'trpc'],
  ['the engine imports queries', 'server/checks/run/run.ts', "import '@/server/monitors/queries';", 'checks'],
  [
    'assertions import the database',
    'server/monitor-types/http/assertions.ts',
    "import { db } from '@/server/platform/db';",
    'pure',
  ],
  [
    'a transition imports a domain',
    'server/checks/verdict/transition.ts',
    "import { a } from '@/server/monitor-lists/schema';",
    'pure',
  ],
  ['a transition imports the network', 'server/checks/verdict/transition.ts', "import net from 'node:net';", 'pure'],
  [
    'a transition reads the clock',
    'server/checks/verdict/transition.ts',
    'export const now = () => new Date();',
    'pure-reach',
  ],
  ['an evaluation reads the clock', 'server/monitor-types/evaluate.ts', 'export const now = Date.now();', 'pure-reach'],
  [
    'an evaluation sends a request',
    'server/monitor-types/evaluate.ts',
    "await fetch('http://localhost');",
    'pure-reach',
  ],
  [
    'a module of the assertions imports the database',
    'server/monitor-types/http/pattern.ts',
    "import '@/server/platform/db';",
    'pure-reach',
  ],
  [
    'a module of the assertions reads the clock',
    'server/monitor-types/http/pattern.ts',
    'performance.now();',
    'pure-reach',
  ],
  [
    'platform imports a domain',
    'server/platform/db.ts',
    "import type { A } from '@/server/monitor-lists/schema';",
    'platform',
  ],
  ['platform imports Next', 'server/platform/db.ts', "import { after } from 'next/server';", 'platform'],
  ['the api imports a page', 'server/api/caller.ts', "import '@/app/shared';", 'api'],
  ['the worker imports the api', 'server/worker/main.ts', "import '@/server/api/router';", 'worker'],
  ['the product imports a script', 'server/worker/main.ts', "import '@/tests/scripts/tool.mjs';", 'product'],
  ['a verb reads the environment', 'server/audit/record-audit.ts', 'export const home = process.env.HOME;', 'env'],
  ['a verb writes the environment', 'server/audit/record-audit.ts', "process.env.HOME = '/';", 'env'],
  ['a verb imports the environment', 'server/audit/record-audit.ts', "import { env } from 'node:process';", 'env'],
  ['a page writes the environment globally', 'app/page.tsx', "globalThis.process.env.HOME = '/';", 'env'],
  ['the configuration of Next writes the environment', 'next.config.mjs', "process.env.HOME = '/';", 'env'],
  ['a verb destructures the environment', 'server/audit/record-audit.ts', 'export const { env } = process;', 'env'],
  [
    'platform reads the environment elsewhere',
    'server/platform/db.ts',
    "export const home = process['env'].HOME;",
    'env',
  ],
  ['a verb sends SQL', 'server/monitors/create-monitor.ts', 'await ctx.db.$queryRaw`select 1`;', 'raw-sql'],
  [
    'a verb writes by SQL',
    'server/monitors/create-monitor.ts',
    'await tx.$executeRaw`delete from monitors`;',
    'raw-sql',
  ],
  [
    'a verb sends a string as SQL',
    'server/monitors/create-monitor.ts',
    "tx['$queryRawUnsafe']('select 1');",
    'raw-sql',
  ],
  [
    'a verb destructures the call',
    'server/monitors/create-monitor.ts',
    'const { $executeRaw: run } = ctx.db;',
    'raw-sql',
  ],
  ['the worker sends SQL', 'server/worker/main.ts', 'await db.$queryRaw`select 1`;', 'raw-sql'],
  ['checks sends SQL elsewhere', 'server/checks/run/run.ts', 'await db.$queryRaw`select 1`;', 'raw-sql'],
  ['platform sends SQL elsewhere', 'server/platform/db.ts', 'await db.$queryRaw`select 1`;', 'raw-sql'],
  ['a page sends SQL', 'app/page.tsx', 'await db.$queryRaw`select 1`;', 'raw-sql'],
  [
    "a verb imports another domain's list",
    'server/audit/record-audit.ts',
    "import '@/server/monitors/list/list-queries';",
    'domain',
  ],
  [
    'two domains import each other',
    'server/audit/record-audit.ts',
    "import { createMonitor } from '@/server/monitors/create-monitor';",
    'order',
  ],
  [
    'the types of monitors import a higher room',
    'server/monitor-types/http/types.ts',
    "import type { State } from '@/server/checks/verdict/transition';",
    'order',
  ],
  [
    'two files import each other',
    'server/monitors/queries.ts',
    "import type { Created } from './create-monitor';",
    'cycle',
  ],
  ['a verb connects to the database itself', 'server/audit/record-audit.ts', "import pg from 'pg';", 'database'],
])('%s', (_what, file, code, rule) => {
  expect(rulesBrokenBy({ [file]: code })).toContain(`${rule}: ${file}`);
});
