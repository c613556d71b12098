import { beforeAll, expect, it } from 'vitest';
import { httpMonitor, type Person, rest, signUp } from '@/tests/support/rest';

const CHANNELS = '/dashboard/notification-channels';
const ROUNDS = 6;

let token: Person['token'];

beforeAll(async () => {
  ({ token } = await signUp());
});

async function newChannel(): Promise<string> {
  const body = { type: 'webhook', name: 'Ops', config: { url: 'http://127.0.0.1:9/' } };
  return (await rest('POST', CHANNELS, { token, body })).body.channel.id;
}

it('deletes a channel while monitors select and deselect it', async () => {
  const named: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const channelIds = await Promise.all([newChannel(), newChannel(), newChannel()]);
    const create = () => rest('POST', '/dashboard/monitors', { token, body: httpMonitor({ channelIds }) });
    const monitors = await Promise.all([create(), create(), create()]);
    const change = (id: string, ids: string[] | null) =>
      rest('PUT', `/dashboard/monitors/${id}`, { token, body: { channelIds: ids } });
    const answers = await Promise.all([
      ...monitors.flatMap(({ body: { monitor } }) => [
        change(monitor.id, [...channelIds].reverse()),
        change(monitor.id, null),
        change(monitor.id, channelIds),
      ]),
      ...channelIds.map((id) => rest('DELETE', `${CHANNELS}/${id}`, { token })),
    ]);
    named.push(...answers.map(({ status }) => status));
  }
  expect(named.filter((status) => status !== 200 && status !== 400)).toEqual([]);
});
