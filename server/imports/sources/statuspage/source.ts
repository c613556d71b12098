import type { Source } from '../source';

export const statuspage = {
  label: 'Statuspage',
  summary: 'The summary of a page',
  help: 'Save the public summary of your page; of a private page, save it in a browser that is signed in. Its components become a status page:',
  command: 'curl https://status.northwind.example/api/v2/summary.json -o summary.json',
  files: '.json,.gz',
} satisfies Source;
