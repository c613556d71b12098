import type { IncomingMessage, ServerResponse } from 'node:http';
import { isDatabaseAway } from '@/server/platform/database/database-away';
import { AppError } from '@/server/platform/errors';
import { requestIdOf } from '@/server/platform/ids';
import { log } from '@/server/platform/log';
import { noteRequest } from '@/server/platform/request-facts';
import { storage } from '@/server/platform/storage';
import { logoVersion } from '@/server/status-pages/logo-key';
import type { Snapshot } from '@/server/status-pages/snapshots/shared-snapshots';
import type { Snapshots } from '@/server/status-pages/snapshots/snapshots';
import { logFailure, setErrorHeaders, toAppError, toEnvelope } from '@/server/trpc/error-table';
import { isKnown } from '../is-known';
import { Documents } from './documents';
import { Logos, logoTag } from './logos';
import type { StatusRenderer } from './renderer';
import { formFor, type Representation, represent } from './representation';
import { UnknownPages } from './unknown-pages';

type Headers = Record<string, string>;

const METHODS = 'GET, HEAD, OPTIONS';
/** Caches a response for 1 s, as old as it may be anyway. For 10 s more, clients may use it while they load a new one. */
const SHORTLY = 'public, max-age=1, stale-while-revalidate=10';
const FOR_GOOD = 'public, max-age=31536000, immutable';

const onEvery: Headers = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
};
/** The headers of the documents beside a page, which scripts of any origin may read. Their policy forbids running anything. */
const open: Headers = {
  ...onEvery,
  'access-control-allow-origin': '*',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
};
/** The headers of the response to a preflight request, which scripts of other origins send before a conditional request. */
const allowance: Headers = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': METHODS,
  'access-control-allow-headers': 'if-none-match',
  'access-control-max-age': '86400',
  allow: METHODS,
};

/** The target of a request: the slug of a page, and the document. */
interface Address {
  slug: string;
  rest: string;
}

function addressOf(url: string): Address {
  const path = decodeURIComponent(url.split('?', 1)[0] ?? '').slice('/status/'.length);
  const [slug = ''] = path.split('/', 1);
  return { slug, rest: path.slice(slug.length + 1) };
}

interface Sent {
  headers: Headers;
  status?: number;
}

/** Sends a document in the variant that the client accepts, or 304. */
function send(request: IncomingMessage, response: ServerResponse, of: Representation, { headers, status = 200 }: Sent) {
  const { body, etag, encoding } = formFor(of, request.headers['accept-encoding'] as string | undefined);
  const common = { ...headers, etag, vary: 'accept-encoding' };
  if (status === 200 && isKnown(request.headers['if-none-match'], etag))
    return void response.writeHead(304, common).end();
  response.writeHead(status, {
    ...common,
    'content-type': of.type,
    'content-length': body.length,
    ...(encoding && { 'content-encoding': encoding }),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Answers everything under `/status/`: the public pages, their documents and files. */
export class StatusServer {
  private readonly documents: Documents;
  private readonly unknown: UnknownPages;
  private readonly logos = new Logos(storage);
  private readonly assets: Promise<Map<string, Representation>>;
  private readonly notices: Record<'not-found' | 'away', Promise<Representation>>;
  private readonly pageHeaders: Headers;

  constructor(
    private readonly snapshots: Snapshots,
    renderer: StatusRenderer,
  ) {
    this.documents = new Documents(renderer);
    this.unknown = new UnknownPages(snapshots);
    const html = (what: 'not-found' | 'away') => represent('text/html; charset=utf-8', renderer.notice(what));
    this.notices = { 'not-found': html('not-found'), away: html('away') };
    this.pageHeaders = { ...onEvery, 'content-security-policy': renderer.policy };
    this.assets = Promise.all(
      Object.entries(renderer.assets).map(
        async ([name, { type, content }]) => [name, await represent(type, content)] as const,
      ),
    ).then((entries) => new Map(entries));
  }

  /** Answers a request whose path begins with `/status/`. Never rejects. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = addressOf(request.url ?? '');
    try {
      await this.respond(request, response, address);
    } catch (error) {
      await this.fail(request, response, { error, address });
    }
  }

  private async respond(request: IncomingMessage, response: ServerResponse, { slug, rest }: Address): Promise<void> {
    if (slug === 'assets') return this.asset(request, response, rest);
    const route = rest === 'logo' ? '/logo' : this.documents.routeOf(rest);
    if (route === undefined) throw new AppError('NOT_FOUND', 'There is nothing at this URL.');
    note(request, { route: `/status/{slug}${route}` });
    if (!METHODS.split(', ').includes(request.method ?? '')) {
      response.setHeader('allow', METHODS);
      throw new AppError('METHOD_NOT_ALLOWED', `This URL accepts ${METHODS}.`);
    }
    if (request.method === 'OPTIONS') return void response.writeHead(204, allowance).end();
    const kept = this.snapshots.has(slug) ? this.snapshots.get(slug) : this.unknown.find(request, slug);
    const snapshot = kept instanceof Promise ? await kept : kept;
    if (!snapshot) throw new AppError('NOT_FOUND', 'There is no such status page.');
    if (rest === 'logo') return this.logo(request, response, snapshot);
    const age = this.snapshots.ageOf(snapshot);
    const made = this.documents.get(rest, snapshot, age);
    const document = made instanceof Promise ? await made : made;
    const headers = {
      ...(rest === '' ? this.pageHeaders : open),
      'cache-control': rest === '' ? SHORTLY : 'no-cache',
      ...(age >= 1000 && { age: String(Math.floor(age / 1000)) }),
    };
    send(request, response, document, { headers });
  }

  /** Sends a file. Under its own name it is immutable. The name of another version returns the current file, which clients have to revalidate. */
  private async asset(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
    const assets = await this.assets;
    const present = [...assets.keys()].find((each) => withoutHash(each) === withoutHash(name));
    const file = present === undefined ? undefined : assets.get(present);
    if (!file) throw new AppError('NOT_FOUND', 'There is nothing at this URL.');
    note(request, { route: '/status/assets/{file}' });
    const headers = { ...onEvery, 'cache-control': present === name ? FOR_GOOD : 'no-cache' };
    send(request, response, file, { headers });
  }

  /** Sends the logo. It is immutable at the URL of its upload. Does not read it for a client that has it. */
  private async logo(request: IncomingMessage, response: ServerResponse, { logoKey }: Snapshot): Promise<void> {
    if (!logoKey) throw new AppError('NOT_FOUND', 'There is no logo.');
    const etag = logoTag(logoKey);
    const isPinned = new URL(request.url ?? '', 'http://localhost').searchParams.get('v') === logoVersion(logoKey);
    const headers = { ...open, 'cache-control': isPinned ? FOR_GOOD : 'no-cache' };
    if (isKnown(request.headers['if-none-match'], etag))
      return void response.writeHead(304, { ...headers, etag, vary: 'accept-encoding' }).end();
    const logo = await this.logos.get(logoKey);
    if (!logo) throw new AppError('NOT_FOUND', 'There is no logo.');
    send(request, response, logo, { headers });
  }

  /** Sends an error: as a page if a page was requested, otherwise as the error envelope. */
  private async fail(
    request: IncomingMessage,
    response: ServerResponse,
    { error: thrown, address }: { error: unknown; address: Address },
  ): Promise<void> {
    const error = toAppError(thrown);
    const requestId = requestIdOf(request.headers['x-request-id'] as string | undefined);
    if (isDatabaseAway(thrown)) note(request, { isDatabaseAway: true });
    logFailure(log, error, { requestId }, 'A public page could not be read');
    if (response.headersSent) return void response.destroy();
    const more = new globalThis.Headers();
    setErrorHeaders(error, more);
    const envelope = toEnvelope(error);
    const { status } = envelope;
    const headers = { ...Object.fromEntries(more), 'cache-control': 'no-store' };
    const isForPerson = !/^api(?:\/|$)/.test(address.rest) && (request.headers.accept ?? '').includes('text/html');
    const notice = status === 404 ? this.notices['not-found'] : this.notices.away;
    if (isForPerson)
      return send(request, response, await notice, { headers: { ...this.pageHeaders, ...headers }, status });
    const body = await represent('application/json; charset=utf-8', JSON.stringify({ error: envelope }));
    send(request, response, body, { headers: { ...open, ...headers }, status });
  }
}

function withoutHash(name: string): string {
  return name.replace(/-[0-9a-f]{10}(?=\.\w+$)/, '');
}

function note(request: IncomingMessage, facts: { route?: string; isDatabaseAway?: boolean }): void {
  noteRequest(requestIdOf(request.headers['x-request-id'] as string | undefined), facts);
}
