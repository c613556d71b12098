import { selfSignedCertificate } from '@/tests/support/certificate';
import { dsaKey } from '@/tests/support/costly-keys';
import { type Call, callOf, type Place } from './place';
import type { Team } from './team';

const http = (assertion: object) => ({ url: 'http://127.0.0.1:9/', assertions: [assertion] });
const matches = (value: string) => http({ source: 'body', operator: 'matches', value });
const selects = (property: string) => http({ source: 'json', property, operator: 'exists' });

/** Configs of monitors with expressions that are costly to compile. They are compiled before they are saved. */
const configs: [string, object][] = [
  ['http', matches('a[ab]{1000}[ab]{1000}[ab]{1000}[cd]')],
  ['http', matches(`${'('.repeat(900)}a${'){1,9}'.repeat(900)}`)],
  ['http', matches('\\pL{1000}'.repeat(9))],
  ['http', matches('(a|b|c|d|e|f|g|h){500}'.repeat(300))],
  ['http', selects(`$${'..*'.repeat(160)}`)],
  ['http', selects(`$[?${'@.a && '.repeat(70)}@.b]`)],
  ['http', selects(`$[?${'('.repeat(240)}@.a${')'.repeat(240)}]`)],
  ['heartbeat', { cron: '0 0 29 2 *', timezone: 'America/New_York' }],
  ['heartbeat', { cron: '* 2 * 3 0L', timezone: 'Europe/Berlin' }],
  ['heartbeat', { cron: '0 0 31 2 *' }],
  [
    'heartbeat',
    { cron: `${Array.from({ length: 60 }, (_, minute) => minute).join(',')} 0 29 2 1`, timezone: 'Asia/Kathmandu' },
  ],
];

/** Configs with a private key that is costly to read, within and beyond the limit of its length. */
const keyed = [dsaKey(2_500, 2_500), dsaKey(14_000, 14_000)].flatMap((key) =>
  ['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY'].map((label) => ({
    url: 'https://127.0.0.1:9/',
    clientCertificate: selfSignedCertificate.cert,
    clientKey: key.replaceAll('PRIVATE KEY', label),
  })),
);

/** Patterns, JSON paths, cron schedules and private keys. */
export const expressions: Place = {
  name: 'Patterns, JSON paths, cron schedules and keys',
  async prepare(team) {
    const kept = { type: 'heartbeat', name: 'Kept', config: { cron: '0 0 29 2 *', timezone: 'America/New_York' } };
    const { monitor } = await team.call<{ monitor: { config: { pingUrl: string } } }>('POST', '/api/v1/monitors', kept);
    const ping = { method: 'POST', path: new URL(monitor.config.pingUrl).pathname };
    return [
      ...configs.map(([type, config]) => callOf(team, 'POST', '/api/v1/monitors', { type, name: 'Costly', config })),
      ...keyed.flatMap((config) => [
        callOf(team, 'POST', '/api/v1/monitors', { type: 'http', name: 'Keyed', config }),
        callOf(team, 'PUT', '/api/v1/monitors/none', { config }),
      ]),
      ping,
    ];
  },
};

const CHANNELS = 80;
/** A custom channel whose body repeats a value: of at most 20,000 characters, and longer. */
const channelOf = (count: number) => ({
  type: 'custom',
  config: { url: 'http://127.0.0.1:9/', method: 'POST', contentType: 'form', body: '{{details}}'.repeat(count) },
});

/** Messages to many channels, and previews, that repeat the longest value as often as possible. */
export const templates: Place = {
  name: 'Templates of messages',
  async prepare(team) {
    for (let index = 0; index < CHANNELS; index += 1) {
      await team.call('POST', '/api/v1/channels', { ...channelOf(1_800), name: `Own ${index}` });
    }
    const incident = callOf(team, 'POST', '/api/v1/incidents', { title: 'Long', cause: '€'.repeat(4_000) });
    const preview = (count: number) => callOf(team, 'POST', '/api/v1/channels/preview', channelOf(count));
    return [incident, ...Array.from({ length: 17 }, () => preview(1_800)), preview(1_819), preview(90_000)];
  },
};

const MONITORS = 2_000;

async function insertMonitors({ teamId }: Team, client: Parameters<Place['prepare']>[1]): Promise<void> {
  await client.query(
    `with made as (
       insert into monitors (id, team_id, type, name, config, interval_seconds, tags)
       select left(gen_random_uuid()::text, 26), $1, 'http', repeat('a', 110) || n,
         jsonb_build_object('url', 'http://' || repeat('a', 2000) || '/', 'headers', '[]'::jsonb), 86400,
         array(select repeat('a', 40) || t from generate_series(1, 20) t)
       from generate_series(1, $2::int) n returning id, num
     ), states as (
       insert into monitor_states (monitor_id, team_id, status) select id, $1, 'paused' from made
     )
     insert into status_spans (monitor_num, started_at, status) select num, now(), 'paused' from made`,
    [teamId, MONITORS],
  );
}

/** Searches and lists of a team with many monitors. */
export const lists: Place = {
  name: 'Searches and lists',
  async prepare(team, client) {
    await insertMonitors(team, client);
    const reads = [
      `/api/v1/monitors?limit=100&q=${'a'.repeat(199)}b`,
      `/api/v1/overview?limit=100&search=${'a'.repeat(199)}b`,
      `/api/v1/overview?limit=100&search=${'aA'.repeat(20)}`,
      `/api/v1/incidents?limit=100&q=${'a'.repeat(200)}`,
      `/api/v1/monitors?tag=${'a'.repeat(50)}`,
      '/api/v1/monitors?limit=100',
      '/api/v1/metrics',
    ];
    return reads.map((path): Call => callOf(team, 'GET', path));
  },
};

/** Edits of the largest config, of almost 64 KiB, whose differences are recorded. */
export const edits: Place = {
  name: 'Edits of large configs',
  async prepare(team) {
    const rule = { source: 'body', operator: 'contains' };
    const configOf = (letter: string) => ({
      url: 'http://127.0.0.1:9/',
      method: 'POST',
      body: letter.repeat(24_000),
      headers: Object.fromEntries(
        Array.from({ length: 5 }, (_, index) => [`x-${letter}-${index}`, letter.repeat(4_000)]),
      ),
      assertions: Array.from({ length: 2 }, () => ({ ...rule, value: letter.repeat(8_000) })),
    });
    const monitor = { type: 'http', name: 'Large', isActive: false };
    const made = await team.call<{ monitor: { id: string } }>('POST', '/api/v1/monitors', {
      ...monitor,
      config: configOf('a'),
    });
    const one = `/api/v1/monitors/${made.monitor.id}`;
    return [
      callOf(team, 'PUT', one, { config: configOf('b') }),
      callOf(team, 'PUT', one, { config: configOf('a') }),
      callOf(team, 'GET', one),
      { ...callOf(team, 'GET', '/dashboard/audit-log?limit=100'), token: team.token },
    ];
  },
};
