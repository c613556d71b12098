import type { Document } from './types';
import { capitalised, ref } from './unions';

/** Returns the monitor types, each with the schema name of its config for creation. */
function configsByType({ paths, components }: Document): Map<string, string> {
  const body = paths['/api/v1/monitors']?.post?.requestBody?.content['application/json']?.schema;
  return new Map(
    Object.entries(body?.discriminator?.mapping ?? {}).map(([type, address]) => {
      const config = components.schemas[address.split('/').at(-1) ?? '']?.properties?.config?.$ref;
      return [type, config?.split('/').at(-1) ?? ''];
    }),
  );
}

/**
 * Changes the document so that a monitor is a union over its types, each with its own config. An update has no type, so its config can be any of
 * them.
 */
export function splitMonitorsByType(document: Document): void {
  const { schemas } = document.components;
  const { Monitor: monitor } = schemas;
  const types = configsByType(document);
  if (!monitor?.properties || types.size === 0) throw new Error('The document has no monitor to split by type.');
  const mapping: Record<string, string> = {};
  for (const [type, config] of types) {
    const name = `${capitalised(type)}Monitor`;
    mapping[type] = `#/components/schemas/${name}`;
    schemas[name] = {
      ...monitor,
      description: `A monitor of type ${type}.`,
      properties: { ...monitor.properties, type: { type: 'string', const: type }, config: ref(config) },
    };
  }
  const { description } = monitor;
  schemas.Monitor = {
    ...(description !== undefined && { description }),
    oneOf: Object.values(mapping).map(($ref) => ({ $ref })),
    discriminator: { propertyName: 'type', mapping },
  };
  const anyConfig = {
    anyOf: [...types.values()].map(ref),
    description: 'The complete config. Its form depends on the type.',
  };
  for (const [path, { put }] of Object.entries(document.paths)) {
    const fields = put?.requestBody?.content['application/json']?.schema?.properties;
    if (path.endsWith('/monitors/{id}') && fields) fields.config = anyConfig;
  }
}
