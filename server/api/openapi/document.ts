import { env } from '@/server/platform/env';
import { operations } from '../rest/operations';
import { TEAM_METRICS_PATH } from '../team-metrics';
import { addTeamMetrics, completeOperation } from './complete-operation';
import { generateFromProcedures } from './generate';
import { splitMonitorsByType } from './monitor-configs';
import { operationDocs } from './operation-docs';
import { description, idempotencyKey, responseHeaders, securitySchemes, tags } from './shared-parts';
import type { Document } from './types';
import { nameUnions } from './unions';
import { addWebhooks } from './webhooks';

function build(): Document {
  const document = generateFromProcedures();
  document.info = {
    title: 'Upwatch',
    version: '1.0.0',
    summary: 'Uptime monitoring',
    description,
    contact: { name: 'Upwatch', url: `${env.appUrl}/docs` },
    license: { name: 'AGPL-3.0-only', identifier: 'AGPL-3.0-only' },
  };
  const used = new Set(
    Object.values(document.paths)
      .flatMap(Object.values)
      .flatMap((operation) => operation.tags ?? []),
  );
  document.tags = Object.entries(tags)
    .filter(([name]) => used.has(name) || name === 'Webhooks')
    .map(([name, text]) => ({ name, description: text }));
  document.components = {
    schemas: document.components.schemas,
    responses: {},
    headers: responseHeaders,
    parameters: { 'Idempotency-Key': idempotencyKey },
    securitySchemes,
  };
  addWebhooks(document);
  nameUnions(document);
  splitMonitorsByType(document);
  for (const operation of operations) {
    const doc = operationDocs[operation.name];
    if (!doc) throw new Error(`No docs.ts describes ${operation.name}.`);
    completeOperation(document, operation, doc);
  }
  addTeamMetrics(document, TEAM_METRICS_PATH);
  return document;
}

let built: Document | undefined;

/** Returns the OpenAPI 3.1 document of every REST operation, built on first use. */
export function openApiDocument(): Document {
  built ??= build();
  return built;
}
