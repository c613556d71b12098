import { createHmac } from 'node:crypto';
import { type Call, callOf, type Place } from './place';

const PART_BYTES = 512 * 1024;
const PARTS = 40;

/** Files of other tools: large ones that cannot be read, read again and again, and many ended imports. */
export const imports: Place = {
  name: 'Imports of files',
  async prepare(team) {
    const body = { source: 'uptime-kuma', fileName: 'kuma.db', bytes: PARTS * PART_BYTES };
    const { import: made } = await team.call<{ import: { id: string } }>('POST', '/api/v1/imports', body);
    const one = `/api/v1/imports/${made.id}`;
    const data = Buffer.alloc(PART_BYTES, 'x').toString('base64');
    for (let position = 0; position < PARTS; position += 1) {
      await team.call('POST', `${one}/parts`, { position, data });
    }
    const read = callOf(team, 'POST', `${one}/read`, {});
    return [read, callOf(team, 'GET', '/api/v1/imports'), read, read];
  },
};

const SECRET = '8f742231b10e8888abcd99baac085bc2';

/** Signed callbacks of a team's own app, which are costly to parse. */
export const callbacks: Place = {
  name: 'Callbacks of chat apps',
  async prepare(team) {
    const config = { webhookUrl: 'http://127.0.0.1:9/', signingSecret: SECRET };
    const { channel } = await team.call<{ channel: { callbackUrl: string } }>('POST', '/api/v1/channels', {
      type: 'slack',
      name: 'App',
      config,
    });
    const path = new URL(channel.callbackUrl).pathname;
    const timestamp = String(Math.floor(Date.now() / 1000));
    const call = (body: string): Call => {
      const mac = createHmac('sha256', SECRET).update(`v0:${timestamp}:${body}`).digest('hex');
      return {
        method: 'POST',
        path,
        body,
        headers: { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${mac}` },
      };
    };
    const buttons = (count: number) =>
      `payload={"type":"block_actions","user":{"id":"a"},"actions":[${'{},'.repeat(count)}{}]}`;
    return [buttons(340_000), buttons(80_000), 'a&'.repeat(500_000), 'a&'.repeat(120_000)].map(call);
  },
};
