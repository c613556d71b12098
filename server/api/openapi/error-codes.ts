import type { ErrorCode } from '@/server/platform/errors';
import type { Access } from '../access';
import { errorTable } from '../error-table';
import type { ProcedureMeta } from '../procedures';
import type { Operation } from '../rest/routes';

/** What each code means, as the document says it. */
const meanings: Record<ErrorCode, string> = {
  VALIDATION_ERROR: 'The input is not valid; `issues` says where.',
  INVITATION_INVALID: 'The invitation is unknown, revoked or expired.',
  INVITATION_USED: 'The invitation was used already.',
  ALREADY_MEMBER: 'The person is in the team already.',
  MEMBER_LIMIT_REACHED: "The team's plan allows no further member.",
  ACCOUNT_EXISTS: 'There is an account with this address: sign in.',
  OWN_ROLE_CHANGE: 'Nobody changes their own role.',
  MEMBER_NOT_FOUND: 'This person is no member of the team.',
  LAST_OWNER: 'A team keeps at least one owner.',
  UNAUTHENTICATED: 'There is no credential, or it is unknown, expired or revoked.',
  PLAN_LIMIT_REACHED: 'The plan does not allow it.',
  INSUFFICIENT_SCOPE: 'The API key lacks the scope.',
  FORBIDDEN: 'The role does not allow it, or a request with a cookie came from another site.',
  NOT_FOUND: "There is no such thing, or it is another team's.",
  METHOD_NOT_ALLOWED: 'The address does not answer this method.',
  SLUG_TAKEN: 'Another status page has this slug.',
  EDIT_CONFLICT: 'It was changed after the version that `ifUpdatedAt` names.',
  LAST_ADMINISTRATOR: 'An instance keeps at least one administrator.',
  IDEMPOTENCY_MISMATCH: 'The idempotency key was used for another request, or its request is still running.',
  PAYLOAD_TOO_LARGE: 'The body is over 1 MiB.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not plain JSON in UTF-8.',
  RATE_LIMITED: 'Too many requests; `retry-after` says when to go on.',
  PAYMENT_PROVIDER_UNAVAILABLE: 'The payment provider does not answer at present.',
  UNAVAILABLE: 'The database cannot be reached; `retry-after` says when to try again.',
  INTERNAL: 'Something went wrong on our side.',
};

export function meaningOf(code: ErrorCode): string {
  return meanings[code];
}

function fromAccess(access: Access, isApi: boolean): ErrorCode[] {
  switch (access.kind) {
    case 'public':
      return [];
    case 'team':
      return ['UNAUTHENTICATED', ...(isApi ? (['INSUFFICIENT_SCOPE'] as const) : []), 'FORBIDDEN'];
    default:
      return ['UNAUTHENTICATED', 'FORBIDDEN'];
  }
}

/**
 * Every code an operation may answer, by status: from what its procedure declares, what its method and path bring along,
 * and its own ones.
 */
export function errorCodesOf({ method, path, access, procedure }: Operation): Map<number, ErrorCode[]> {
  const meta = procedure._def.meta as ProcedureMeta;
  const isApi = path.startsWith('/api/v1/');
  const codes = new Set<ErrorCode>([
    'VALIDATION_ERROR',
    ...fromAccess(access, isApi),
    // A session cookie that another site sends is refused before anything else.
    ...(isApi ? [] : (['FORBIDDEN'] as const)),
    ...(path.includes('{id}') ? (['NOT_FOUND'] as const) : []),
    ...(method === 'POST' ? (['IDEMPOTENCY_MISMATCH'] as const) : []),
    ...(method === 'GET' ? [] : (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)),
    ...(meta.errors ?? []),
    'RATE_LIMITED',
    'INTERNAL',
    'UNAVAILABLE',
  ]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = errorTable[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}
