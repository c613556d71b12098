import { withoutScheme } from '../address';
import type { TypeDefinition } from '../definition';
import { WebSocketConfig } from './config';

export const websocket = {
  schema: WebSocketConfig,
  secrets: { url: 'url', send: 'text', headers: 'headers' },
  componentName: 'Live connection',
  target: ({ url }) => withoutScheme(url),
  request: ({ url }) => url,
  endpoints: ({ url }) => [['url', url]],
  limitKey: ({ url }) => new URL(url).hostname,
} satisfies TypeDefinition<WebSocketConfig>;
