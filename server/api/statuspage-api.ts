import { AppError } from '@/server/platform/errors';
import { documents } from '@/server/status-pages/feeds/statuspage/documents';
import { getAllowance, guarded, type SlugRoute, written } from './public-status';

/** What Next hands to the route handler of everything under `/status/[slug]/api`. */
export interface ApiRoute {
  params: Promise<{ slug: string; path?: string[] }>;
}

type Handler = (request: Request, route: SlugRoute) => Promise<Response>;

const handlers = new Map<string, Handler>(
  Object.entries(documents).map(([path, document]) => [
    `v2/${path}`,
    written('application/json; charset=utf-8', (page) => JSON.stringify(document(page, new Date()))),
  ]),
);

const refuseMethod = guarded(async () => {
  throw new AppError('METHOD_NOT_ALLOWED', 'This address answers GET, HEAD, OPTIONS.');
});
const refusePath = guarded(async () => {
  throw new AppError('NOT_FOUND', 'There is nothing at this address.');
});

/**
 * Answers everything under `/status/{slug}/api`: the documents of Statuspage's public API, or the error envelope. Nobody
 * subscribes here, so its `subscribers.json` is not found.
 */
export async function getStatuspage(request: Request, route: ApiRoute): Promise<Response> {
  const { path = [] } = await route.params;
  const handler = handlers.get(path.join('/'));
  if (!handler) return refusePath(request, route);
  if (request.method === 'OPTIONS') return getAllowance();
  if (request.method === 'GET' || request.method === 'HEAD') return handler(request, route);
  const refusal = await refuseMethod(request, route);
  refusal.headers.set('allow', 'GET, HEAD, OPTIONS');
  return refusal;
}
