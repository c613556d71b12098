import type { Source } from '../source';

export const gatus = {
  label: 'Gatus',
  summary: 'config.yaml',
  help: 'Several files: merge them first. Replace environment variables by their values.',
  files: '.yaml,.yml,.gz',
} satisfies Source;
