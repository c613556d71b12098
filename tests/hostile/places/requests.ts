import { type Call, callOf, type Place } from './place';

const MIB = 1024 * 1024;
const anonymous = (path: string, body: string): Call => ({ method: 'POST', path, body });
const state = `${'["",{"children":'.repeat(800)}["",{}]${'}]'.repeat(800)}`;
/** Different ideographs: the conversion of an international name takes time quadratic in their number. */
const name = Array.from({ length: MIB / 3 - 100 }, (_, index) =>
  String.fromCharCode(0x4e00 + ((index * 7_919) % 20_000)),
).join('');
/** As many cookies as fit into the headers of a request. */
const cookies = Array.from({ length: 2_500 }, (_, index) => `${index.toString(36)}=b`).join(';');
/** As many headers as fit into a request. */
const headers = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`h${index.toString(36)}`, '']));
const fields = (count: number) => Array.from({ length: count }, (_, index) => `"emai${index}":1`).join(',');

/** Requests of anybody: queries, headers, and bodies of many values. */
export const anonymousRequests: Place = {
  name: 'Requests without a credential',
  async prepare() {
    const ints = `{"refreshToken":[${'1,'.repeat(MIB / 2 - 40)}1]}`;
    return [
      { method: 'GET', path: `/login?${'a&'.repeat(7_000)}` },
      { method: 'GET', path: `/api/health?${'a&'.repeat(7_000)}` },
      { method: 'GET', path: `/login?${'a&'.repeat(49)}` },
      { method: 'GET', path: '/login', headers: { rsc: '1', 'next-router-state-tree': state } },
      { method: 'GET', path: '/api/v1/openapi.json' },
      { method: 'GET', path: '/api/trpc/auth.me', headers: { cookie: cookies } },
      { method: 'GET', path: '/login', headers: { cookie: cookies.replaceAll('=b', '=') } },
      { method: 'GET', path: '/login', headers },
      { ...anonymous('/auth/logout', '{}'), headers },
      anonymous('/auth/logout', ints),
      anonymous('/api/trpc/auth.logIn', ints),
      anonymous('/auth/logout', `{${fields(4_000)}}`),
      anonymous('/auth/login', `{"email":"a@${'a.'.repeat(30_000)}","password":"x"}`),
      anonymous('/api/auth/callback/credentials', 'a&'.repeat(MIB / 2)),
    ];
  },
};

/** Bodies of a team's key: many values, long texts, and arrays that are longer than accepted. */
export const bodies: Place = {
  name: 'Large bodies',
  async prepare(team) {
    const post = (path: string, body: string): Call => ({ ...callOf(team, 'POST', path), body });
    const http = (config: string) => `{"type":"http","name":"x","config":{"url":"http://a.test",${config}}}`;
    const layer = '"name":"l","rotation":{"unit":"days","every":1},"startDate":"1970-01-01","handoverTime":"00:00"';
    return [
      post('/api/v1/monitors', `{"type":"http","name":"x","config":{"url":"http://${name}"}}`),
      post('/api/v1/channels', `{"type":"webhook","name":"x","config":{"url":"http://${name}"}}`),
      post(
        '/api/v1/channels',
        `{"type":"custom","name":"x","config":{"url":"http://a.test","headers":"${'a: b\\n'.repeat(170_000)}"}}`,
      ),
      post('/api/v1/maintenance-windows', `{"title":"x","recurrence":"${';'.repeat(MIB - 60)}"}`),
      post('/api/v1/monitors/bulk', `{"action":"pause","ids":[${'1,'.repeat(MIB / 2 - 60)}1]}`),
      post('/api/v1/monitors', http(`"assertions":[${'{},'.repeat(MIB / 3 - 60)}{}]`)),
      post('/api/v1/monitors', http(`"assertions":[${'{},'.repeat(9_000)}{}]`)),
      post('/api/v1/monitors', http(`"headers":{${fields(9_000)}}`)),
      post('/api/v1/on-call/schedules', `{"name":"x","layers":[{${layer},"userIds":[${'1,'.repeat(9_000)}1]}]}`),
      post('/api/v1/incidents', `{"title":"${'\\"'.repeat(MIB / 2 - 60)}"}`),
      post('/api/v1/postmortem-preview', `{"body":"${'€'.repeat(MIB / 4)}"}`),
    ];
  },
};
