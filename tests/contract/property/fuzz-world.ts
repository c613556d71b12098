import type { Document } from './document-requests';

const PASSWORD = 'correct horse battery';

/** The callers of a running product, created through the API alone, and the objects they can name. */
export interface FuzzWorld {
  document: Document;
  /** Bearer tokens; the first two are the owner's and the owner's key. Replaced by `renew`. */
  tokens: (string | null)[];
  /** IDs of existing objects, by the path that lists them; under '' those that fit no path. */
  ids: Record<string, string[]>;
  /** Signs everyone in again, creates what is missing, and lists what exists now. */
  renew(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape; a wrong one fails the set-up.
type Body = any;

/** Each incident creates a message for each channel, so objects created by the hundred are deleted down to this number. */
const MOST_CHANNELS = 5;

/** Every object with an ID in a path: how to create one, and how to list them. */
const THINGS: { path: string; name: string; bodies: object[] }[] = [
  {
    path: '/api/v1/monitors',
    name: 'monitor',
    bodies: [
      { type: 'http', name: 'Shop', config: { url: 'http://127.0.0.1:9/' }, externalId: 'shop' },
      { type: 'tcp', name: 'Redis', config: { host: '127.0.0.1', port: 9, send: 'x' } },
      { type: 'heartbeat', name: 'Backup', config: {} },
    ],
  },
  { path: '/api/v1/incidents', name: 'incident', bodies: [{ title: 'Manual' }] },
  {
    path: '/api/v1/maintenance-windows',
    name: 'maintenanceWindow',
    bodies: [{ title: 'Work', startsAt: '2029-01-01T00:00:00Z', endsAt: '2029-01-01T01:00:00Z', monitorIds: null }],
  },
  {
    path: '/dashboard/notification-channels',
    name: 'channel',
    bodies: [{ type: 'webhook', name: 'Hook', config: { url: 'http://127.0.0.1:9/' } }],
  },
  { path: '/dashboard/status-pages', name: 'statusPage', bodies: [{ slug: 'fuzz', title: 'Page' }] },
  {
    path: '/dashboard/team/invitations',
    name: 'invitation',
    bodies: [{ email: 'guest@example.test', role: 'viewer' }],
  },
];

export async function createFuzzWorld(url: string): Promise<FuzzWorld> {
  const call = async (method: string, path: string, token: string | null, body?: object): Promise<Body> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token !== null && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  };
  const signUp = (email: string) => call('POST', '/auth/signup', null, { email, password: PASSWORD });
  const logIn = async (email: string): Promise<string> => {
    return (await call('POST', '/auth/login', null, { email, password: PASSWORD })).accessToken;
  };
  const owner = await signUp('owner@example.test');
  const outsider = await signUp('outsider@example.test');
  const join = async (role: string) => {
    const email = `${role}@example.test`;
    const { invitation } = await call('POST', '/dashboard/team/invitations', owner.accessToken, { email, role });
    return call('POST', `/auth/invite/${invitation.token}/accept`, null, { email, password: PASSWORD });
  };
  const colleagues = [await join('member'), await join('viewer')];
  const key = async (scopes: string[]): Promise<string> => {
    return (await call('POST', '/dashboard/api-keys', owner.accessToken, { name: 'script', scopes })).secret;
  };
  const keys = [await key(['read', 'write']), await key(['read'])] as const;
  const people = [owner, outsider, ...colleagues].map(({ user, accessToken }) => ({
    id: user.id as string,
    email: user.email as string,
    token: accessToken as string,
  }));

  const world: FuzzWorld = {
    document: await call('GET', '/api/v1/openapi.json', null),
    tokens: [],
    ids: {},
    async renew() {
      // Wrong passwords among the requests may have locked an account for a while; its last token is still valid.
      for (const person of people) person.token = await logIn(person.email).catch(() => person.token);
      const [first = '', ...others] = people.map(({ token }) => token);
      world.tokens = [first, ...keys, ...others, null, 'uw_garbage', 'garbage'];
      const ids: FuzzWorld['ids'] = { '': ['nope', '01ARZ3NDEKTSV4RRFFQ69G5FAV', 'shop'] };
      ids['/dashboard/team/members'] = people.slice(1).map(({ id }) => id);
      const { channels } = await call('GET', '/dashboard/notification-channels?limit=100', first);
      for (const { id } of channels.slice(MOST_CHANNELS)) {
        await call('DELETE', `/dashboard/notification-channels/${id}`, first);
      }
      for (const { path, name, bodies } of THINGS) {
        for (const body of bodies) await call('POST', path, first, body).catch(() => undefined);
        const page = await call('GET', `${path}?limit=20`, first);
        const list = (page[`${name}s`] ?? []) as { id: string }[];
        ids[path] = list.map(({ id }) => id);
      }
      world.ids = ids;
    },
  };
  await world.renew();
  return world;
}
