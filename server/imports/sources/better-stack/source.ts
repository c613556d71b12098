import type { Source } from '../source';

export const betterStack = {
  label: 'Better Stack',
  summary: 'JSON from its API',
  help: 'Save what the API lists, with an Uptime API token. Heartbeats: do it again with /heartbeats. Several pages: join them with jq -s .',
  command:
    'curl -H "Authorization: Bearer $TOKEN" "https://uptime.betterstack.com/api/v2/monitors?per_page=250" -o monitors.json',
  files: '.json,.gz',
} satisfies Source;
