import type { TRPCLink } from '@trpc/client';
import type { AnyRouter } from '@trpc/server';

function omitDirection(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !('direction' in input)) return input;
  const { direction: _direction, ...rest } = input;
  return rest;
}

/** A link that drops the `direction` which infinite queries add to their input: the API refuses fields it does not know. */
export const withoutDirection: TRPCLink<AnyRouter> =
  () =>
  ({ next, op }) =>
    next({ ...op, input: omitDirection(op.input) });
