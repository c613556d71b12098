import { withoutScheme } from '../address';
import type { Expression, TypeDefinition } from '../definition';
import { HttpConfig, MOST_ASSERTIONS } from './config';

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
  expressions: expressionsIn,
  limitKey: ({ url }) => new URL(url).hostname,
  certificateWarnDays: ({ certificateWarnDays }) => certificateWarnDays,
  isDegradedBySpeed: true,
} satisfies TypeDefinition<HttpConfig>;

function tokenEndpoint(tokenUrl: string): [string, string] {
  return ['auth.tokenUrl', tokenUrl];
}

function expressionsIn(config: object): Expression[] {
  const assertions = 'assertions' in config && Array.isArray(config.assertions) ? config.assertions : [];
  return assertions.slice(0, MOST_ASSERTIONS).flatMap((assertion: unknown, index) => {
    const { source, property, operator, value } = (assertion ?? {}) as Record<string, unknown>;
    const path = `config.assertions.${index}`;
    const found: Expression[] = [];
    if (source === 'json' && typeof property === 'string') {
      found.push({ path: `${path}.property`, kind: 'jsonPath', source: property });
    }
    if (operator === 'matches' && typeof value === 'string') {
      found.push({ path: `${path}.value`, kind: 'pattern', source: value });
    }
    return found;
  });
}
