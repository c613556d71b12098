import { generateOpenApiDocument, type OpenApiRouter } from 'trpc-openapi';
import { z } from 'zod';
import { env } from '@/server/platform/env';
import type { Operation } from '../rest/routes';
import { appRouter } from '../router';
import { namedSchemas } from './components';
import { splitInput } from './split-input';
import { tidy, tidyNamed } from './tidy';
import type { Document } from './types';

/** Under this name the body of an operation stands in the view. */
const BODY = 'body';

/**
 * The router as the document's library is shown it. It takes objects only, so a body stands whole under one field, which
 * `liftBodies` puts in its place afterwards; what a body is made of stays as its schema says.
 */
function documentView(operations: Operation[]): OpenApiRouter {
  const procedures = Object.fromEntries(
    operations.map((operation) => {
      const { path, query, body } = splitInput(operation);
      const { procedure } = operation;
      const input = z.object({ ...path, ...query, ...(body && { [BODY]: body }) });
      const isEmpty = Object.keys(input.shape).length === 0;
      return [operation.name, { _def: { ...procedure._def, inputs: isEmpty ? [] : [input] } }];
    }),
  );
  return { ...appRouter, _def: { ...appRouter._def, procedures } } as unknown as OpenApiRouter;
}

/** Puts every body where OpenAPI has it. One whose fields may all be left out may be left out itself. */
function liftBodies({ paths }: Document): void {
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const schema = operation.requestBody?.content['application/json']?.schema;
    const body = schema?.properties?.[BODY];
    if (!body) continue;
    const mayBeEmpty = !body.oneOf && !body.required?.length && body.minProperties === undefined;
    operation.requestBody = { required: !mayBeEmpty, content: { 'application/json': { schema: body } } };
  }
}

/**
 * What the bridge library makes of the operations' procedures: paths, parameters, bodies and successful answers. Its
 * errors are not ours, so they go.
 */
export function generateFromProcedures(operations: Operation[]): Document {
  for (const [id, { schema, description }] of Object.entries(namedSchemas)) {
    z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id, description });
  }
  const generated = generateOpenApiDocument(documentView(operations), {
    title: 'Upwatch',
    version: '1.0.0',
    openApiVersion: '3.1.0',
    baseUrl: env.appUrl,
  });
  const document = JSON.parse(JSON.stringify(generated)) as Document;
  liftBodies(document);
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
