import { env } from '@/server/platform/env';

/**
 * The address of a provider's own API. With a gateway (CHANNEL_API_GATEWAY), the provider's host becomes the first segment of the path; the operator
 * set that address, so it may be private.
 */
export function providerApi(url: string): { url: string; trusted: boolean } {
  const gateway = env.channelApiGateway;
  return gateway ? { url: `${gateway}/${url.replace(/^https:\/\//, '')}`, trusted: true } : { url, trusted: false };
}
