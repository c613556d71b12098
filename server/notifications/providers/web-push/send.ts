import webPush from 'web-push';
import { env } from '@/server/platform/env';
import type { Message } from '../../messages/message';
import { post } from '../post';
import type { Provider } from '../provider';
import { fitText, inBytes } from '../shorten';
import type { WebPushConfig } from './definition';
import { pushKeysOf } from './keys';

/** For how long the push service keeps a message for a browser that is offline: as long as other messages are retried. */
const TTL_SECONDS = 86_400;
/** A push service accepts 4,096 bytes after encryption (RFC 8030 §7.2); the links need the rest. */
const MOST_HEADLINE = 400;
const MOST_DETAILS = 2_000;
/** Statuses of permanent errors: the subscription no longer exists, the key is wrong, or the message is too large. */
const PERMANENT = new Set([400, 401, 403, 404, 410, 413]);

/** Returns the data that the service worker shows, as JSON. A later message about the same incident replaces the notification. */
function toNotification({ id, headline, details, url, acknowledgeUrl, payload }: Message): string {
  const size = { size: (text: string) => inBytes(JSON.stringify(text)) };
  return JSON.stringify({
    title: fitText(headline, MOST_HEADLINE, size),
    body: fitText(details.join('\n'), MOST_DETAILS, size),
    url,
    ...(acknowledgeUrl !== undefined && { acknowledgeUrl }),
    tag: payload.data.incident?.id ?? id,
  });
}

/** Returns the contact URI of the operator for the push service (RFC 8292 §2.1). */
function contact(): string {
  const { protocol, hostname, origin } = new URL(env.appUrl);
  return protocol === 'https:' ? origin : `mailto:upwatch@${hostname}`;
}

/** Sends a notification to a browser: encrypted for it (RFC 8291), and signed with the key of this instance (VAPID, RFC 8292). */
export const webPushProvider: Provider<WebPushConfig> = {
  async send(message, { endpoint, p256dh, auth, serverKey }, options) {
    const keys = pushKeysOf(serverKey);
    if (!keys) {
      const error = 'The browser subscribed under another APP_SECRET. Choose "Use this browser" again';
      return { ok: false, permanent: true, statusCode: null, error };
    }
    const text = toNotification(message);
    if (options.prepared) {
      options.prepared({ method: 'POST', url: new URL(endpoint).origin, headers: {}, body: text });
      return { ok: true, statusCode: null };
    }
    const topic = message.payload.data.incident?.id;
    const request = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
      vapidDetails: { subject: contact(), ...keys },
      TTL: TTL_SECONDS,
      contentEncoding: 'aes128gcm',
      urgency: message.tone === 'down' ? 'high' : 'normal',
      ...(topic && /^[\w-]{1,32}$/.test(topic) && { topic }),
    });
    const headers = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
    const { 'content-length': _length, ...rest } = Object.fromEntries(headers) as Record<string, string>;
    return post(
      {
        url: endpoint,
        headers: rest,
        body: request.body,
        receiver: 'The push service',
        refusal: (status) => (status >= 400 ? { permanent: PERMANENT.has(status) } : null),
      },
      options,
    );
  },
};
