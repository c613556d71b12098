import { type Access, resourceFor } from '@/server/trpc/access';
import type { ProcedureMeta } from '@/server/trpc/procedures';
import type { Resource } from '@/server/trpc/schema';
import type { CallKind } from '@/server/trpc/share';
import { appRouter } from '../router';
import { type SplitInput, splitInput } from './split-input';

/** The parts of a procedure that the bridge needs. */
interface BridgedProcedure {
  _def: { type: CallKind; meta?: unknown; inputs: unknown[] };
}

/** A procedure at one REST path, used by routing, input parsing, calls and the document. */
export interface Operation {
  /** The procedure's path in the router, "monitors.create". */
  name: string;
  method: string;
  path: string;
  tags: string[];
  /** Whether this is the path of the procedure's `openapi` metadata, and not of `alsoAt`. */
  isMain: boolean;
  created: boolean | 'sometimes';
  /** Whether responses are stored under an Idempotency-Key: for a POST that changes something. */
  isKeyed: boolean;
  access: Access;
  /** The resource whose scope a key needs; null if the operation does not belong to a team. */
  resource: Resource | null;
  /** The input by its place in a REST request. */
  input: SplitInput;
  procedure: BridgedProcedure;
}

/** Returns every operation of these procedures that has a REST path. */
function listOperations(procedures: Record<string, BridgedProcedure>): Operation[] {
  return Object.entries(procedures).flatMap(([name, procedure]) => {
    const meta = procedure._def.meta as ProcedureMeta | undefined;
    if (!meta?.openapi) return [];
    const { access, created = false, changesNothing, alsoAt } = meta;
    if (!access) throw new Error(`${name} declares no access.`);
    const { method, path, tags = [] } = meta.openapi;
    const resource = access.kind === 'team' ? resourceFor(name) : null;
    const isKeyed = method === 'POST' && !changesNothing;
    const addresses = [{ path, tags, isMain: true }, ...(alsoAt ? [{ ...alsoAt, isMain: false }] : [])];
    return addresses.map((address) => {
      const input = splitInput(procedure._def.inputs[0] as never, method, address.path);
      return { name, method, ...address, created, isKeyed, access, resource, input, procedure };
    });
  });
}

/** Every REST operation of the product. */
export const operations = listOperations(appRouter._def.procedures as unknown as Record<string, BridgedProcedure>);
