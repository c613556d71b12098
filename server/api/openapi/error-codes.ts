import type { ErrorCode } from '@/server/platform/errors';
import type { Access } from '@/server/trpc/access';
import { errorTable } from '@/server/trpc/error-table';
import type { Operation } from '../rest/operations';

/** The description of each code in the document. */
const meanings: Record<ErrorCode, string> = {
  VALIDATION_ERROR: 'The input is not valid; `issues` names the fields.',
  INVITATION_INVALID: 'The invitation is unknown, revoked or expired.',
  INVITATION_USED: 'The invitation has already been used.',
  ALREADY_MEMBER: 'The person is already a member of the team.',
  MEMBER_LIMIT_REACHED: 'The team has reached its member limit.',
  ACCOUNT_EXISTS: 'An account with this email address already exists.',
  OWN_ROLE_CHANGE: 'You cannot change your own role.',
  MEMBER_NOT_FOUND: 'This person is not a member of the team.',
  LAST_OWNER: 'A team needs at least one owner.',
  UNAUTHENTICATED: 'The credential is missing, invalid, expired or revoked.',
  PLAN_LIMIT_REACHED: 'The plan does not allow it.',
  INSUFFICIENT_SCOPE: 'The API key lacks the required scope.',
  FORBIDDEN:
    'The role does not allow it, the API key is not accepted from this network, or a request with a session cookie came from another origin.',
  NOT_FOUND: 'The object does not exist or belongs to another team.',
  METHOD_NOT_ALLOWED: 'The URL does not support this method.',
  SLUG_TAKEN: 'Another status page uses this slug.',
  EDIT_CONFLICT: 'The object has changed since the version in `ifUpdatedAt`.',
  LAST_ADMINISTRATOR: 'An instance needs at least one administrator.',
  INCIDENT_OPEN: 'Another incident of the same monitor is open.',
  IDEMPOTENCY_MISMATCH: 'The idempotency key was used for a different request, or its request is still running.',
  PAYLOAD_TOO_LARGE: 'The body exceeds 1 MiB, or 64 KiB without a credential.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not plain JSON in UTF-8.',
  RATE_LIMITED: 'Too many requests; see `retry-after`.',
  PAYMENT_PROVIDER_UNAVAILABLE: 'The payment provider cannot be reached.',
  STORAGE_UNAVAILABLE: 'The object storage cannot be reached.',
  UNAVAILABLE: 'The database cannot be reached; see `retry-after`.',
  INTERNAL: 'An internal error occurred.',
};

export function meaningOf(code: ErrorCode): string {
  return meanings[code];
}

function fromAccess(access: Access, isApi: boolean): ErrorCode[] {
  switch (access.kind) {
    case 'public':
      return [];
    case 'team':
      return [
        'UNAUTHENTICATED',
        ...(isApi && !access.isPersonal ? (['INSUFFICIENT_SCOPE'] as const) : []),
        'FORBIDDEN',
      ];
    default:
      return ['UNAUTHENTICATED', 'FORBIDDEN'];
  }
}

/** Returns all error codes of an operation by status: those implied by its method, path and access, and those that it declares. */
export function errorCodesOf(
  { method, path, access, isKeyed }: Pick<Operation, 'method' | 'path' | 'access' | 'isKeyed'>,
  declared: ErrorCode[] = [],
): Map<number, ErrorCode[]> {
  const isApi = path.startsWith('/api/v1/');
  const codes = new Set<ErrorCode>([
    'VALIDATION_ERROR',
    ...fromAccess(access, isApi),
    // A session cookie from another origin is rejected before anything else.
    ...(isApi ? [] : (['FORBIDDEN'] as const)),
    ...(path.includes('{id}') ? (['NOT_FOUND'] as const) : []),
    ...(isKeyed ? (['IDEMPOTENCY_MISMATCH'] as const) : []),
    ...(method === 'GET' ? [] : (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)),
    ...declared,
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
