import type { Source } from '../source';

export const freshping = {
  label: 'Freshping',
  summary: 'JSON from its API',
  help: 'Save what the API lists, with the API key and the subdomain of your account:',
  command: 'curl -u "$KEY:$SUBDOMAIN" https://api.freshping.io/api/v1/checks/ -o checks.json',
  files: '.json,.gz',
} satisfies Source;
