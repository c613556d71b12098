import type { Source } from '../source';

export const healthchecks = {
  label: 'Healthchecks',
  summary: 'JSON from its API',
  help: 'Save what the API lists, with an API key of your project:',
  command: 'curl -H "X-Api-Key: $KEY" https://healthchecks.io/api/v3/checks/ -o checks.json',
  files: '.json,.gz',
} satisfies Source;
