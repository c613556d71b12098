import type { Document } from './document-requests';

const PASSWORD = 'correct horse battery';

/** The callers of a running product, by the API alone, and what there is for them to name. */
export interface FuzzWorld {
  document: Document;
  /** Bearer tokens; the first two are the owner's and their key's. Renewed by `renew`. */
  tokens: (string | null)[];
  /** Ids of things that exist, by the path that lists them; under '' those that fit nowhere. */
  ids: Record<string, string[]>;
  /** Signs everybody in again, makes what is missing, and reads what exists by now. */
  renew(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape; a wrong one fails the set-up.
type Body = any;

/** Each incident makes a message for each channel, so what is made by the hundred is deleted down to so many. */
const MOST_CHANNELS = 5;

/** Everything that has an id in a path: how to make one, and how to list them. */
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
  const stranger = await signUp('stranger@example.test');
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
  const people = [owner, stranger, ...colleagues].map(({ user, accessToken }) => ({
    id: user.id as string,
    email: user.email as string,
    token: accessToken as string,
  }));

  const world: FuzzWorld = {
    document: await call('GET', '/api/v1/openapi.json', null),
    tokens: [],
    ids: {},
    async renew() {
      // Wrong passwords among the requests may have closed an account's sign-in for a while; its last token still counts.
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
