import { readFileSync } from 'node:fs';
import { appRouter } from '@/server/api/router';

/** A request whose response depends on the database. */
export interface Asked {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** The credentials of one person. */
export interface Credentials {
  token: string;
  key: string;
  cookie: string;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  example?: unknown;
  schema?: { example?: unknown; enum?: unknown[]; default?: unknown };
}

interface Operation {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { example?: unknown; schema?: unknown }> };
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
}

const ID = '01JZZZZZZZZZZZZZZZZZZZZZZZ';
const TOKEN = 'abcdefghijklmnopqrstuvwxyz012345';
const JSON_TYPE = { 'content-type': 'application/json' };

const filled = (path: string) =>
  path.replace(/[{[]+(?:\.\.\.)?(\w+)[}\]]+/g, (_, name: string) => (name === 'token' ? TOKEN : ID));

function queryOf({ parameters = [] }: Operation): string {
  const needed = parameters.filter((each) => each.in === 'query' && each.required);
  const pairs = needed.map(({ name, example, schema }) => [
    name,
    String(example ?? schema?.example ?? schema?.enum?.[0] ?? ID),
  ]);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** Every operation of the OpenAPI document, with the example of its body. */
export function operationsOf(document: Document, { token, key }: Credentials): Asked[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, operation]) => {
      const bearer = path.startsWith('/api/v1') ? key : token;
      const example = operation.requestBody?.content['application/json']?.example;
      return {
        method: name.toUpperCase(),
        path: filled(path) + queryOf(operation),
        headers: { authorization: `Bearer ${bearer}`, ...(operation.requestBody && JSON_TYPE) },
        ...(operation.requestBody && { body: JSON.stringify(example ?? {}) }),
      };
    }),
  );
}

/** Every query and mutation of the dashboard. */
export function proceduresOf({ cookie }: Credentials): Asked[] {
  const procedures = Object.entries(
    appRouter._def.procedures as unknown as Record<string, { _def: { type: 'query' | 'mutation' | 'subscription' } }>,
  );
  return procedures.flatMap(([name, { _def }]) => {
    if (_def.type === 'subscription') return [];
    const path = `/api/trpc/${name}`;
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    return _def.type === 'query'
      ? { method: 'GET', path, headers }
      : { method: 'POST', path, headers: { ...headers, ...JSON_TYPE }, body: '{}' };
  });
}

/** Every page of the build, as a browser asks for it. */
export function pagesOf({ cookie }: Credentials): Asked[] {
  const manifest: Record<string, string> = JSON.parse(readFileSync('.next/app-path-routes-manifest.json', 'utf8'));
  const pages = Object.entries(manifest).filter(([file, path]) => file.endsWith('/page') && !path.startsWith('/_'));
  return pages.map(([, path]) => ({ method: 'GET', path: filled(path), headers: { cookie, accept: 'text/html' } }));
}

/** Addresses with a secret, and those of other programs. */
export const PUBLIC: Asked[] = [
  ...['', '/feed.atom', '/feed.rss', '/badge.svg', '/api/v2/summary.json'].map((rest) => `/status/acme${rest}`),
  `/api/on-call/${TOKEN}.ics`,
  `/api/maintenance/${TOKEN}.ics`,
  `/api/auth/session`,
  `/api/auth/providers`,
  '/api/health',
  '/api/ready',
  '/api/metrics',
].map((path) => ({ method: 'GET', path, headers: {} }) as Asked);

export const CALLBACKS: Asked[] = [
  `/api/callbacks/slack/${ID}`,
  '/api/stripe/webhook',
  `/api/unsubscribe/${TOKEN}`,
].map((path) => ({ method: 'POST', path, headers: JSON_TYPE, body: '{}' }));
