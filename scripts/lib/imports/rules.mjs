// @ts-check
import { isBuiltin } from 'node:module';

/**
 * @typedef {object} Edge one import
 * @property {string} file the importer's path from the project's root
 * @property {string | null} to the imported file's path, null for a package
 * @property {string} from the module specifier
 * @property {string[]} names
 * @property {boolean} isType
 * @property {boolean} isClient the importer runs in a browser
 */

/**
 * @typedef {object} Rule
 * @property {string} name
 * @property {string} says
 * @property {(file: string, isClient: boolean) => boolean} of the files whose imports it covers
 * @property {(edge: Edge & { to: string }) => boolean} [ours] whether it allows this project file
 * @property {(from: string) => boolean} [packages] whether it allows this package; all by default
 */

/** Files that import only their own types. */
export const PURE = /^server\/(checks\/verdict\/[\w-]+|monitor-types\/(.*\/)?(evaluate|assertions))\.ts$/;
const SCHEMA = /^server\/[^/]+\/(schema|values)(\.ts)?$/;
const ROOMS = new Set(['agent', 'api', 'checks', 'operate', 'platform', 'threads', 'trpc', 'worker']);

/** @param {string | null} path */
const under = (path, /** @type {string[]} */ ...folders) => folders.some((folder) => path?.startsWith(`${folder}/`));
/** @param {string} path */
export const roomOf = (path) => (path.startsWith('server/') ? (path.split('/')[1] ?? '') : '');
/** @param {string} path */
const isDomain = (path) => path.startsWith('server/') && !ROOMS.has(roomOf(path));
/** @param {string} from */
const isNext = (from) => from === 'next' || from.startsWith('next/');
/** @param {string} to */
const isQueries = (to) => /^server\/[^/]+\/(.*\/)?([a-z]+-)*queries(\.ts|\/|$)/.test(to);

/** Files of checks and platform with raw SQL; see docs/architecture.md, "The database". */
const RAW_SQL = new Set([
  'server/checks/run/check-now.ts',
  ...['database-now', 'database/held-transaction', 'jobs/enqueue', 'kv/postgres', 'listen', 'locks'].map(
    (name) => `server/platform/${name}.ts`,
  ),
]);

/**
 * Whether a file may contain raw SQL, for what no model call expresses.
 * @param {string} file
 */
export function maySendSql(file) {
  return (
    RAW_SQL.has(file) ||
    under(file, 'server/checks/schedule', 'server/checks/record', 'server/history') ||
    (/^server\/.*\/([a-z]+-)*queries\.ts$/.test(file) && roomOf(file) !== 'worker')
  );
}

/** Allowed imports of a pure file: neighbours, which the rule "pure-reach" covers too, and these packages. */
export const PURE_PACKAGES = new Set(['croner', 're2js', 'json-p3']);

/** Allowed imports of checks in a domain. */
const CHECKS_FOR_DOMAINS = new Set(
  [
    'record/store-ping',
    'run/check-now',
    'schedule/count-workers',
    'schedule/down-after',
    'schedule/list-workers',
    'schedule/schedule-monitor',
    'verdict/settled',
  ].map((verb) => `server/checks/${verb}.ts`),
);

/** The definitions of all monitor types and of all channel kinds: half as large as all other code of a page. */
const DEFINITIONS = /^server\/(monitor-types|notifications)\/(schema|(.*\/)?definitions?)(\.ts)?$/;
/** The client components that edit monitors and channels. */
const EDITORS = [
  'app/(dashboard)/(team)/channels',
  'app/(dashboard)/(team)/monitors/_components/form',
  'app/(dashboard)/(team)/monitors/new',
  'app/(dashboard)/settings/(team)/contact-methods',
];
/** Is loaded only while a team has no monitors. */
const FIRST_MONITOR = 'app/(dashboard)/(team)/monitors/_components/first-monitor.tsx';

/** @type {Rule[]} */
export const RULES = [
  {
    name: 'client',
    says: 'a client component imports of server/ only server/*/schema, server/*/values and the type AppRouter',
    of: (file, isClient) => isClient && file.startsWith('app/'),
    ours: ({ to, isType, names }) =>
      !under(to, 'server') ||
      SCHEMA.test(to) ||
      (isType && to === 'server/api/router.ts' && names.every((name) => name === 'AppRouter')),
  },
  {
    name: 'weight',
    says: 'only the forms of monitors and channels load their definitions, and radix-ui is loaded by component (radix-ui/slot); see monitor-lists and channel-lists',
    of: (_file, isClient) => isClient,
    ours: ({ file, to, isType }) =>
      isType ||
      !DEFINITIONS.test(to) ||
      under(file, 'server/monitor-types', 'server/notifications', ...EDITORS) ||
      file === FIRST_MONITOR,
    packages: (from) => from !== 'radix-ui',
  },
  {
    name: 'app',
    says: 'app/ imports of server/ only server/api, server/auth and server/*/schema',
    of: (file, isClient) => !isClient && (file.startsWith('app/') || !file.includes('/')),
    ours: ({ to }) => !under(to, 'server') || under(to, 'server/api', 'server/auth') || SCHEMA.test(to),
  },
  {
    name: 'cli',
    says: 'cli, a client of the API, imports of server/ only server/*/schema and types',
    of: (file) => file.startsWith('cli/'),
    ours: ({ to, isType }) => under(to, 'cli') || SCHEMA.test(to) || (isType && under(to, 'server')),
    packages: (from) => !isNext(from),
  },
  {
    name: 'domain',
    says: 'a domain imports platform, trpc, types of checks and verbs of other domains; never their queries, nor api, app or worker',
    of: isDomain,
    ours: ({ file, to, isType }) => {
      if (under(to, 'server/platform')) return true;
      if (under(to, 'server/checks')) return isType || CHECKS_FOR_DOMAINS.has(to);
      if (to === 'server/trpc/procedures.ts') return /^server\/[^/]+\/router\.ts$/.test(file);
      if (under(to, 'server/trpc')) return !isQueries(to);
      return isDomain(to) && (!isQueries(to) || roomOf(to) === roomOf(file));
    },
    packages: (from) => !isNext(from),
  },
  {
    name: 'checks',
    says: 'checks imports platform, trpc and verbs of domains; never their queries, nor api, app, worker or next',
    of: (file) => roomOf(file) === 'checks',
    ours: ({ to }) =>
      under(to, 'server/checks', 'server/platform') ||
      (under(to, 'server/trpc') && to !== 'server/trpc/procedures.ts') ||
      (isDomain(to) && !isQueries(to)),
    packages: (from) => !isNext(from),
  },
  {
    name: 'pure',
    says: 'assertions, evaluate and transition know only their own types: no database, clock, network or environment',
    of: (file) => PURE.test(file),
    ours: ({ to, isType }) =>
      isType ||
      under(to, 'server/checks', 'server/time') ||
      (under(to, 'server/monitor-types') && !/monitor-types\/(config|output|probing|schema|inputs)\b/.test(to)) ||
      to === 'server/history/watched-until.ts',
    packages: (from) => PURE_PACKAGES.has(from),
  },
  {
    name: 'platform',
    says: 'platform imports nothing above it',
    of: (file) => roomOf(file) === 'platform',
    ours: ({ to }) => under(to, 'server/platform'),
    packages: (from) => !isNext(from),
  },
  {
    name: 'trpc',
    says: 'trpc is below the domains: it imports platform alone',
    of: (file) => roomOf(file) === 'trpc',
    ours: ({ to }) => under(to, 'server/trpc', 'server/platform'),
    packages: (from) => !isNext(from),
  },
  {
    name: 'api',
    says: 'api imports neither app nor worker',
    of: (file) => roomOf(file) === 'api',
    ours: ({ to }) => under(to, 'server') && roomOf(to) !== 'worker',
  },
  {
    name: 'worker',
    says: 'worker imports neither app nor api, nor next',
    of: (file) => roomOf(file) === 'worker',
    ours: ({ to }) => under(to, 'server') && roomOf(to) !== 'api',
    packages: (from) => !isNext(from),
  },
  {
    name: 'agent',
    says: 'agent, the process of an agent, imports neither app, api nor worker, nor next',
    of: (file) => roomOf(file) === 'agent',
    ours: ({ to }) => under(to, 'server') && roomOf(to) !== 'api' && roomOf(to) !== 'worker',
    packages: (from) => !isNext(from),
  },
  {
    name: 'operate',
    says: 'operate, the commands of an operator, imports neither app, api nor worker, nor next',
    of: (file) => roomOf(file) === 'operate',
    ours: ({ to }) => under(to, 'server') && roomOf(to) !== 'api' && roomOf(to) !== 'worker',
    packages: (from) => !isNext(from),
  },
  {
    name: 'threads',
    says: 'threads lists bounded tasks: it imports server/platform/bounded and the files that define tasks',
    of: (file) => roomOf(file) === 'threads',
    ours: ({ to }) => under(to, 'server') && !under(to, 'server/api', 'server/trpc', 'server/worker'),
    packages: (from) => !isNext(from),
  },
  {
    name: 'database',
    says: 'only platform opens connections to the database; everything else asks Prisma',
    of: (file) => roomOf(file) !== 'platform',
    packages: (from) => from !== 'pg',
  },
  {
    name: 'product',
    says: 'what runs imports neither tests nor scripts',
    of: () => true,
    ours: ({ to }) => !under(to, 'tests', 'scripts'),
  },
];

/** The list of bounded tasks. Its threads hold no connections and read no settings, and a task gets everything as its input. */
export const THREADS = 'app/threads.ts';

/** @param {Edge} edge */
export const isOutsideOfTasks = ({ to, from }) =>
  to === null
    ? from === 'pg' || from === 'graphile-worker' || from.startsWith('@prisma/')
    : to === 'server/platform/env.ts' || to === 'server/platform/db.ts' || isQueries(to);

/**
 * Whether an import is one that a browser must not load through a schema, or a pure file through a neighbour.
 * @param {Edge} edge
 */
export function isServerOnly({ to, from }) {
  if (to !== null) {
    if (SCHEMA.test(to)) return false;
    return under(to, 'server/platform', 'server/api', 'server/trpc', 'server/worker') || isQueries(to);
  }
  return (
    isBuiltin(from) ||
    isNext(from) ||
    ['pg', 'graphile-worker', 'server-only', 'undici'].includes(from) ||
    from.startsWith('@prisma/')
  );
}
