import createClient from 'openapi-fetch';
import type { paths } from './generated/schema';

type Send = (request: Request) => Promise<Response>;

/** Returns the client's data, or throws an error with the API's message. */
async function of<T>(answer: Promise<{ data?: T; error?: { error: { code: string; message: string } } }>): Promise<T> {
  const { data, error } = await answer;
  if (data === undefined) throw new Error(error ? `${error.error.code}: ${error.error.message}` : 'No answer.');
  return data;
}

/**
 * The main job of the product, done by a script through a client generated from the document: an account, a key, a
 * monitor, its check, an incident and its end.
 */
export async function mainJob(baseUrl: string, send: Send, { email, url }: { email: string; url: string }) {
  const anyone = createClient<paths>({ baseUrl, fetch: send });
  const account = await of(anyone.POST('/auth/signup', { body: { email, password: 'correct horse battery' } }));
  const person = createClient<paths>({
    baseUrl,
    fetch: send,
    headers: { authorization: `Bearer ${account.accessToken}` },
  });
  const { secret } = await of(
    person.POST('/dashboard/api-keys', { body: { name: 'script', scopes: ['read', 'write'] } }),
  );
  const script = createClient<paths>({ baseUrl, fetch: send, headers: { authorization: `Bearer ${secret}` } });

  const { monitor } = await of(
    script.PUT('/api/v1/monitors/by-external-id/{externalId}', {
      params: { path: { externalId: 'shop' } },
      body: { type: 'http', name: 'Shop', config: { url, confirm: { failures: 1 } }, intervalSeconds: 60 },
    }),
  );
  // The monitor's type determines the type of its config.
  const target = monitor.type === 'http' ? monitor.config.url : monitor.name;
  const params = { path: { id: monitor.id } };
  const { check } = await of(person.POST('/dashboard/monitors/{id}/check', { params }));
  const { incidents } = await of(script.GET('/api/v1/incidents', { params: { query: { status: 'open', limit: 10 } } }));
  const [incident] = incidents;
  if (!incident) return { target, check, incident: null, messages: [], listed: [] };

  const one = { path: { id: incident.id } };
  await of(script.POST('/api/v1/incidents/{id}/acknowledge', { params: one }));
  await of(script.POST('/api/v1/incidents/{id}/updates', { params: one, body: { message: 'We look at it.' } }));
  const resolved = await of(script.POST('/api/v1/incidents/{id}/resolve', { params: one }));
  const { updates } = await of(script.GET('/api/v1/incidents/{id}/updates', { params: one }));
  const { monitors } = await of(script.GET('/api/v1/monitors'));
  return {
    target,
    check,
    incident: resolved.incident,
    messages: updates.map(({ message }) => message).reverse(),
    listed: monitors.map(({ id }) => id),
  };
}
