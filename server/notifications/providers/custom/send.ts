import type { Message } from '../../messages/message';
import { exampleEvent } from '../../templates/example-event';
import { render, renderAll, targets } from '../../templates/template';
import { valuesOf } from '../../templates/values';
import { post } from '../post';
import type { Provider } from '../provider';
import { type CustomConfig, readHeaders } from './definition';

const types = {
  json: 'application/json; charset=utf-8',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain; charset=utf-8',
} as const;
const WITHOUT_BODY = new Set(['GET', 'DELETE']);

/**
 * Returns the values of a message's placeholders. A test has no incident, so it gets the values of the preview's example, to make its request
 * complete.
 */
function valuesFor(message: Message) {
  const { type, timestamp } = message.payload;
  if (type !== 'channel.test') return valuesOf(message);
  return { ...valuesOf({ ...message, payload: exampleEvent('incident.opened') }), event: type, timestamp };
}

/** Sends a request that the user wrote. Values are escaped for their context, and placeholders in a value are not expanded. */
export const custom: Provider<CustomConfig> = {
  send(message, { method, url, contentType, headers = '', body }, options) {
    const values = valuesFor(message);
    const own = readHeaders(headers) ?? [];
    const rendered = renderAll(own.flat(), values, targets.headers);
    const text = WITHOUT_BODY.has(method) ? null : render(body, values, targets[contentType]);
    const request = {
      url: render(url, values, targets.url),
      method,
      headers: {
        'content-type': types[contentType],
        ...Object.fromEntries(own.map(([name], index) => [name, rendered[2 * index + 1] ?? ''])),
      },
      body: text,
      receiver: 'The receiver',
    };
    return post(request, options);
  },
};
