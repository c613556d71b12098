import type { Source } from '../source';

export const urls = {
  label: 'URLs',
  summary: 'A list, or sitemap.xml',
  help: 'One address per line, or a sitemap. Every address becomes a monitor.',
  files: '.txt,.xml,.gz',
  typed: 'Addresses',
} satisfies Source;
