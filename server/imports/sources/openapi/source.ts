import type { Source } from '../source';

export const openapi = {
  label: 'OpenAPI',
  summary: 'A description of an API',
  help: 'The document of your API: OpenAPI 3, or Swagger 2, as JSON or YAML. Every path that can be read without parameters becomes a monitor.',
  files: '.json,.yaml,.yml,.gz',
} satisfies Source;
