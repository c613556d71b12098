import { expect, it } from 'vitest';
import { listOverview } from '@/server/monitors/list/list-overview';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { httpMonitor, rest, signUp } from '@/tests/support/rest';

it('rejects a cursor with an impossible date in every list', async () => {
  const { token } = await signUp();
  const { monitor } = (await rest('POST', '/dashboard/monitors', { token, body: httpMonitor() })).body;
  const body = { type: 'webhook', name: 'Ops', config: { url: 'http://127.0.0.1:9/' } };
  const { channel } = (await rest('POST', '/dashboard/notification-channels', { token, body })).body;
  const lists = [
    `/api/v1/monitors/${monitor.id}/checks`,
    '/api/v1/incidents',
    '/api/v1/incidents/none/updates',
    `/dashboard/notification-channels/${channel.id}/deliveries`,
  ];
  for (const list of lists) {
    for (const time of ['-271821-04-20T00:00:00.000Z', '+275760-09-13T00:00:00.000Z', '0000-01-01T00:00:00.000Z']) {
      for (const cursor of [time, `${time}_${newId()}`, `${time}_default`]) {
        const answer = await rest('GET', `${list}?cursor=${encodeURIComponent(cursor)}`, { token });
        expect([list, cursor, answer.status, answer.body.error?.issues?.[0]?.path]).toEqual([
          list,
          cursor,
          400,
          'cursor',
        ]);
      }
    }
  }
});

it('rejects a cursor with text that the database cannot store', async () => {
  const { teamId } = await signUp();
  const cursor = Buffer.from(JSON.stringify(['up', 'a\u0000', newId()])).toString('base64url');
  await expect(listOverview(db, teamId, { limit: 10, cursor })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
});
