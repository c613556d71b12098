import { beforeAll, expect, it } from 'vitest';
import { type Person, rest, signUp } from '@/tests/support/rest';
import { join } from './support';

let admin: Person;
beforeAll(async () => {
  admin = await signUp();
});

const list = async (query = '') => (await rest('GET', `/admin/users${query}`, { token: admin.token })).body;
const emails = ({ users }: { users: { email: string }[] }) => users.map(({ email }) => email);

it('lists accounts with their teams', async () => {
  const robin = await signUp('Robin Hood');
  await join(robin, admin, 'viewer');
  const { users, nextCursor } = await list(`?query=${encodeURIComponent(robin.email.toUpperCase())}`);
  expect(nextCursor).toBeNull();
  expect(users).toEqual([
    {
      id: robin.userId,
      email: robin.email,
      name: 'Robin Hood',
      isAdmin: false,
      createdAt: expect.stringMatching(/Z$/),
      teams: [
        { id: robin.teamId, name: "Robin Hood's team", role: 'owner' },
        { id: admin.teamId, name: expect.any(String), role: 'viewer' },
      ],
    },
  ]);
  expect(emails(await list('?query=robin%20hood'))).toContain(robin.email);
  expect(emails(await list(`?query=${robin.userId}`))).toEqual([robin.email]);
});

it('matches search text literally', async () => {
  const odd = await signUp('100%_\\sure');
  expect(emails(await list('?query=%25_%5C'))).toEqual([odd.email]);
  expect(emails(await list('?query=%25%25'))).toEqual([]);
  expect(emails(await list("?query='%20or%201%3D1"))).toEqual([]);
});

it('returns each account once across pages', async () => {
  for (let index = 0; index < 3; index += 1) await signUp();
  const all = emails(await list());
  const seen: string[] = [];
  let cursor = '';
  do {
    const page = await list(`?limit=2${cursor}`);
    seen.push(...emails(page));
    cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
  } while (cursor !== '');
  expect(seen).toEqual(all);
  expect(new Set(seen).size).toBe(seen.length);
});
