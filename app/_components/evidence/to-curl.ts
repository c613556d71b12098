import type { AttemptExchange } from '@/server/incidents/schema';
import { canParseUrl, MASK } from '@/server/platform/schema';

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The monitor's URL if the request went to it, else the URL of its server with the path of the request. */
function urlOf(monitorUrl: string, path: string): string {
  const url = new URL(monitorUrl);
  const [pathname = '', query] = path.split('?');
  if (url.pathname === pathname && (query !== undefined || url.search === '')) return url.href;
  return url.origin + pathname;
}

/**
 * A command for a shell that repeats a request over HTTP. Headers whose values are masked are only named in a comment.
 * @param monitorUrl the URL of the monitor as its reader may see it
 * @returns null for a request of another protocol
 */
export function toCurl(request: NonNullable<AttemptExchange['request']>, monitorUrl: string): string | null {
  const [, method, path] = /^([A-Z]+) (\/\S*) HTTP\/\d/.exec(request.line) ?? [];
  if (method === undefined || path === undefined || !canParseUrl(monitorUrl)) return null;
  const isMasked = ({ value }: { value: string }) => value.includes(MASK);
  const shown = request.headers.filter((header) => !isMasked(header));
  const left = request.headers.filter(isMasked).map(({ name }) => name);
  const command = [
    `curl -i${method === 'GET' ? '' : method === 'HEAD' ? ' -I' : ` -X ${method}`} ${quote(urlOf(monitorUrl, path))}`,
    ...shown.map(({ name, value }) => `  -H ${quote(`${name}: ${value}`)}`),
  ].join(' \\\n');
  return left.length === 0 ? command : `${command}\n# Secret, not included: ${left.join(', ')}`;
}
