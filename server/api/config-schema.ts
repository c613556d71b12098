import { configFileSchema } from '@/server/config-files/schema';
import { sendDocument } from './send-document';
import { type Representation, represent } from './status-server/representation';

/** The path of the JSON Schema of files for `upwatch apply`, which editors load. */
export const CONFIG_SCHEMA_PATH = '/api/v1/config.schema.json';

let made: Promise<Representation> | undefined;

/** Answers GET and HEAD for the schema. */
export async function serveConfigSchema(request: Request, headers: Headers): Promise<Response> {
  made ??= represent('application/schema+json; charset=utf-8', JSON.stringify(configFileSchema()));
  headers.set('cache-control', 'no-cache');
  return sendDocument(request, headers, await made);
}
