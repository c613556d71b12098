import type { Source } from '../source';

export const uptimeRobot = {
  label: 'UptimeRobot',
  summary: 'JSON from its API',
  help: 'Save what the API lists, with the main API key or a read-only one of your account:',
  command:
    'curl -d "api_key=$KEY&format=json&http_request_details=true" https://api.uptimerobot.com/v2/getMonitors -o monitors.json',
  files: '.json,.gz',
} satisfies Source;
