import type { TRPCLink } from '@trpc/client';
import type { AnyRouter } from '@trpc/server';

function omitDirection(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !('direction' in input)) return input;
  const { direction: _direction, ...rest } = input;
  return rest;
}

/** Removes `direction`, which infinite queries add to their input, because the API rejects unknown fields. */
export const withoutDirection: TRPCLink<AnyRouter> =
  () =>
  ({ next, op }) =>
    next({ ...op, input: omitDirection(op.input) });
