import { generateOpenApiDocument } from 'trpc-openapi';
import { z } from 'zod';
import { env } from '@/server/platform/env';
import { bridgePath, bridgeRouter, INPUT } from '../rest/bridge';
import { operations } from '../rest/operations';
import { namedSchemas } from './components';
import { tidy, tidyNamed } from './tidy';
import type { Document, OperationObject, Schema } from './types';

/** Converts a part of the input to parameters (OpenAPI 3.1 §4.8.12). */
function toParameters(part: Schema | undefined, place: 'path' | 'query') {
  return Object.entries(part?.properties ?? {}).map(([name, schema]) => {
    return { in: place, name, schema, ...((place === 'path' || part?.required?.includes(name)) && { required: true }) };
  });
}

/** Splits an operation's input, which the library describes as one object, into path, query and body. */
function placeInput(described: OperationObject): OperationObject {
  const { requestBody, ...operation } = structuredClone(described);
  const input = requestBody?.content['application/json']?.schema?.properties?.[INPUT];
  const { path, query, body } = input?.anyOf?.[0]?.properties ?? {};
  operation.parameters = [...toParameters(path, 'path'), ...toParameters(query, 'query')];
  if (!body) return operation;
  // A body with only optional fields is optional.
  const mayBeEmpty = !body.oneOf && !body.required?.length && body.minProperties === undefined;
  return { ...operation, requestBody: { required: !mayBeEmpty, content: { 'application/json': { schema: body } } } };
}

/**
 * Generates the operations with the bridge library: paths, parameters, bodies and success responses. Removes its error responses, which do not match
 * ours.
 */
export function generateFromProcedures(): Document {
  for (const [id, { schema, description }] of Object.entries(namedSchemas)) {
    z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id, description });
  }
  const generated = generateOpenApiDocument(bridgeRouter, {
    title: 'Upwatch',
    version: '1.0.0',
    openApiVersion: '3.1.0',
    baseUrl: env.appUrl,
  });
  const document = JSON.parse(JSON.stringify(generated)) as Document;
  const described = document.paths;
  document.paths = {};
  for (const operation of operations) {
    const { method, path, tags } = operation;
    const { post } = described[bridgePath(operation)] ?? {};
    if (!post) throw new Error(`The library describes no ${operation.name}.`);
    document.paths[path] = { ...document.paths[path], [method.toLowerCase()]: { ...placeInput(post), tags } };
  }
  for (const name of Object.keys(document.components.schemas)) {
    if (name.startsWith('error.')) delete document.components.schemas[name];
    else tidyNamed(document.components.schemas[name], !name.endsWith('Config'));
  }
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    tidy(operation.requestBody, false);
    tidy(operation.parameters, false);
    tidy(operation.responses, true);
  }
  return document;
}
