import { env } from '@/server/platform/env';

/**
 * Returns the URL of a provider's API. With a gateway (CHANNEL_API_GATEWAY), the provider's host becomes the first path segment; the operator set
 * that address, so it may be private.
 */
export function providerApi(url: string): { url: string; trusted: boolean } {
  const gateway = env.channelApiGateway;
  return gateway ? { url: `${gateway}/${url.replace(/^https:\/\//, '')}`, trusted: true } : { url, trusted: false };
}
