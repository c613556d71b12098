import type { Document, Schema } from './types';

export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Converts a type to the start of a schema name: "http" → "Http", "google_chat" → "GoogleChat". */
export function capitalised(text: string): string {
  return text.replace(/(?:^|_)(.)/g, (_whole, first: string) => first.toUpperCase());
}

function typeOf({ properties }: Schema): string | null {
  const { type } = properties ?? {};
  return typeof type?.const === 'string' ? type.const : null;
}

/**
 * Gives each member of a union by `type` a name, because a discriminator maps types to named schemas only (OpenAPI 3.1 §4.8.25). Leaves other schemas
 * unchanged.
 */
function nameMembers({ components }: Document, schema: Schema | undefined, nameOf: (type: string) => string): void {
  if (!schema?.oneOf) return;
  const mapping: Record<string, string> = {};
  for (const member of schema.oneOf) {
    const type = typeOf(member);
    if (type === null) return;
    components.schemas[nameOf(type)] = member;
    mapping[type] = `#/components/schemas/${nameOf(type)}`;
  }
  delete schema.type;
  schema.oneOf = Object.values(mapping).map(($ref) => ({ $ref }));
  schema.discriminator = { propertyName: 'type', mapping };
}

/** Gives the members of every union that is a body or a named schema a name, for example CreateHttpMonitor. */
export function nameUnions(document: Document): void {
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    nameMembers(document, schema, (type) => capitalised(type) + name);
  }
  for (const [path, methods] of Object.entries(document.paths)) {
    const noun = path.includes('/monitors') ? 'Monitor' : 'Channel';
    for (const [method, { requestBody }] of Object.entries(methods)) {
      const verb = path.endsWith('/test') ? 'Test' : method === 'post' ? 'Create' : 'Put';
      const schema = requestBody?.content['application/json']?.schema;
      nameMembers(document, schema, (type) => verb + capitalised(type) + noun);
    }
  }
}
