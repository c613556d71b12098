import type { ErrorCode } from '@/server/platform/errors';
import type { OperationDoc } from '@/server/trpc/operation-doc';
import type { ProcedureMeta } from '@/server/trpc/procedures';
import { scopeName } from '@/server/trpc/schema';
import type { Operation } from '../rest/operations';
import { codeSamples, textSamples } from './code-samples';
import { errorCodesOf, meaningOf } from './error-codes';
import { parameterDocs } from './parameter-docs';
import { errorSchema } from './shared-parts';
import type { Document, OperationObject, Response } from './types';

function securityOf({ path, access }: Operation): NonNullable<OperationObject['security']> {
  if (access.kind === 'public') return [];
  if (access.kind === 'team' && access.isPersonal) return [{ accessToken: [] }];
  if (path.startsWith('/api/v1/')) return [{ apiKey: [] }, { accessToken: [] }];
  const person = [{ accessToken: [] }, { session: [] }, { secureSession: [] }];
  return access.kind === 'optional' ? [{}, ...person] : person;
}

/** Returns the scope that an API key needs; null if the operation accepts no key. */
export function scopeOf({ path, access, resource }: Operation): string | null {
  const takesKeys = path.startsWith('/api/v1/') && access.kind === 'team' && !access.isPersonal;
  return takesKeys && resource ? scopeName(access.scope, resource) : null;
}

/** Returns a text about the allowed callers; empty for anyone. */
function needs(operation: Operation): string {
  const { access } = operation;
  switch (access.kind) {
    case 'team': {
      const needed = scopeOf(operation);
      const scope = needed === null ? '' : ` API keys need the scope \`${needed}\`.`;
      return `Requires the role \`${access.role}\`${access.role === 'owner' ? '' : ' or higher'}.${scope}`;
    }
    case 'admin':
      return 'For administrators of the instance.';
    default:
      return '';
  }
}

const headerRefs = (names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const RATE = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];

function errorExample(code: ErrorCode, status: number) {
  const error = { code, message: meaningOf(code), status };
  const issues = [{ path: 'name', message: 'Enter a name.' }];
  return { value: { error: code === 'VALIDATION_ERROR' ? { ...error, issues } : error } };
}

/** Returns a reference to a response with these codes. Operations with the same codes share a component. */
function errorResponse({ components }: Document, status: number, codes: ErrorCode[]): Response {
  const name = codes.join('.');
  components.responses[name] ??= {
    description: codes.map((code) => `**${code}**: ${meaningOf(code)}`).join('\n\n'),
    headers: headerRefs([
      'x-request-id',
      ...(status === 429 || status === 503 ? ['retry-after'] : []),
      ...(status === 429 ? RATE : []),
    ]),
    content: {
      'application/json': {
        schema: errorSchema(codes),
        examples: Object.fromEntries(codes.map((code) => [code, errorExample(code, status)])),
      },
    },
  };
  return { $ref: `#/components/responses/${name}` };
}

const errorResponses = (document: Document, byStatus: Map<number, ErrorCode[]>) =>
  [...byStatus].map(([status, codes]): [string, Response] => [String(status), errorResponse(document, status, codes)]);

function successes(operation: Operation, generated: Response | undefined, doc: OperationDoc): [string, Response][] {
  const replayed = operation.isKeyed ? ['idempotency-replayed'] : [];
  const answer: Response = {
    headers: headerRefs(['x-request-id', ...RATE, ...replayed]),
    content: {
      'application/json': { schema: generated?.content?.['application/json']?.schema ?? {}, example: doc.answer },
    },
  };
  const ok: [string, Response] = ['200', { description: 'Success.', ...answer }];
  const made: [string, Response] = ['201', { description: 'Created.', ...answer }];
  if (operation.created === 'sometimes') return [ok, made];
  return [operation.created ? made : ok];
}

/** Adds the operation for a team's metrics, which is not a procedure and responds with Prometheus text. */
export function addTeamMetrics(document: Document, path: string): void {
  const method = 'GET';
  const codes = errorCodesOf({ method, path, isKeyed: false, access: { kind: 'team', role: 'viewer', scope: 'read' } });
  const success: Response = {
    description: 'Success: the Prometheus text format 0.0.4.',
    headers: headerRefs(['x-request-id', ...RATE]),
    content: { 'text/plain': { schema: { type: 'string' }, example: 'upwatch_team_monitors{status="up"} 12\n' } },
  };
  document.paths[path] = {
    get: {
      operationId: 'getTeamMetrics',
      summary: "Get the team's metrics",
      description: 'The status, latency and last check of each monitor, and open incidents by type, for Prometheus.',
      tags: ['Monitors'],
      security: [{ apiKey: [] }, { accessToken: [] }],
      'x-required-scope': scopeName('read', 'monitors'),
      responses: Object.fromEntries([['200', success], ...errorResponses(document, codes)]),
      'x-code-samples': textSamples(`${document.servers[0]?.url ?? ''}${path}`),
    },
  };
}

/** Adds to a generated operation what its procedure declares besides schemas: access, errors, descriptions and examples. */
export function completeOperation(document: Document, operation: Operation, doc: OperationDoc): void {
  const { method, path, isKeyed } = operation;
  const target = document.paths[path]?.[method.toLowerCase()];
  if (!target) throw new Error(`The document lacks ${method} ${path}.`);
  const id = operation.isMain ? doc.id : doc.alsoId;
  if (!id) throw new Error(`The docs of ${operation.name} have no ID for ${method} ${path}.`);
  target.operationId = id;
  target.description = [doc.description, needs(operation)].filter(Boolean).join('\n\n');
  target.security = securityOf(operation);
  // OpenAPI has no scopes for bearer credentials, and linters reject roles there.
  const scope = scopeOf(operation);
  if (scope !== null) target['x-required-scope'] = scope;
  target.parameters = (target.parameters ?? []).map((parameter) =>
    'name' in parameter ? { ...parameter, description: parameterDocs[parameter.name] } : parameter,
  );
  if (isKeyed) {
    target.parameters = [...target.parameters, { $ref: '#/components/parameters/Idempotency-Key' }];
  }
  const body = target.requestBody?.content['application/json'];
  if (body && doc.body) body.example = doc.body;
  const { errors: declared } = operation.procedure._def.meta as ProcedureMeta;
  const errors = errorResponses(document, errorCodesOf(operation, declared));
  target.responses = Object.fromEntries([...successes(operation, target.responses['200'], doc), ...errors]);
  target['x-code-samples'] = codeSamples(document.servers[0]?.url ?? '', path, method, doc);
}
