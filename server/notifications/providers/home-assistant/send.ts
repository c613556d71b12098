import { alertOf } from '../alert';
import { messageOf } from '../message-of';
import { post } from '../post';
import type { Provider } from '../provider';
import { shorten } from '../shorten';
import type { HomeAssistantConfig } from './definition';

/**
 * Statuses that a retry does not fix: invalid data, a wrong token or one of an account that is no administrator, and an address that was banned for
 * wrong tokens.
 */
const PERMANENT = [400, 401, 403];

/**
 * Whether a response is an error of Home Assistant: JSON with a message, or the status as text, "401: Unauthorized". The sign-in page of a proxy has
 * neither form.
 */
const isOwn = (status: number, body: string) => messageOf(body) !== null || body.startsWith(`${status}: `);

/** Fires an event through Home Assistant's REST API, with data for the conditions of automations. */
export const homeAssistant: Provider<HomeAssistantConfig> = {
  send(message, { serverUrl, accessToken, eventType }, options) {
    const { headline, details, url, payload, tone } = message;
    const { action, key, severity, source } = alertOf(message);
    const body = {
      id: key,
      action,
      severity,
      tone,
      event: payload.type,
      monitor: shorten(source, 500),
      url,
      title: shorten(headline, 500),
      message: shorten(details.join('\n'), 8_000),
    };
    const request = {
      url: `${serverUrl.replace(/\/+$/, '')}/api/events/${eventType}`,
      headers: { authorization: `Bearer ${accessToken}` },
      body: JSON.stringify(body),
      receiver: 'Home Assistant',
      reason: messageOf,
      refusal: (status: number, answer: string) =>
        PERMANENT.includes(status) && isOwn(status, answer) ? { permanent: true } : null,
    };
    return post(request, options);
  },
};
