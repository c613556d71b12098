import { createTRPCClient, type TRPCLink } from '@trpc/client';
import type { AnyRouter } from '@trpc/server';
import { observable } from '@trpc/server/observable';
import { expect, it } from 'vitest';
import { withoutDirection } from '@/app/_trpc/without-direction';

it.each([
  [
    { limit: 50, cursor: 'a', direction: 'forward' },
    { limit: 50, cursor: 'a' },
  ],
  [undefined, undefined],
  [{ id: 'x' }, { id: 'x' }],
])('submits %j as %j', async (input, sent) => {
  const seen: unknown[] = [];
  const last: TRPCLink<AnyRouter> =
    () =>
    ({ op }) =>
      observable((observer) => {
        seen.push(op.input);
        observer.next({ result: { data: null } });
        observer.complete();
      });
  const client = createTRPCClient<AnyRouter>({ links: [withoutDirection, last] });
  await (client as unknown as { list: { query: (input: unknown) => Promise<unknown> } }).list.query(input);
  expect(seen).toEqual([sent]);
});
