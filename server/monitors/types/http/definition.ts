import { withoutScheme } from '../address';
import type { TypeDefinition } from '../definition';
import { HttpConfig } from './config';

export const http = {
  schema: HttpConfig,
  secrets: {
    url: 'url',
    body: 'text',
    headers: 'headers',
    auth: { password: 'credential', token: 'credential', clientSecret: 'credential', tokenUrl: 'url' },
  },
  componentName: 'Website',
  target: ({ url }) => withoutScheme(url),
  request: ({ method, url }) => `${method} ${url}`,
  endpoints: ({ url, auth }) => [['url', url], ...(auth?.kind === 'oauth2' ? [tokenEndpoint(auth.tokenUrl)] : [])],
  limitKey: ({ url }) => new URL(url).hostname,
  certificateWarnDays: ({ certificateWarnDays }) => certificateWarnDays,
  isDegradedBySpeed: true,
} satisfies TypeDefinition<HttpConfig>;

function tokenEndpoint(tokenUrl: string): [string, string] {
  return ['auth.tokenUrl', tokenUrl];
}
