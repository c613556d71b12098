import type { Source } from '../source';

export const blackbox = {
  label: 'Prometheus blackbox',
  summary: 'prometheus.yml with blackbox.yml',
  help: 'Scrape jobs that probe, and the modules of the blackbox exporter, as one file:',
  command: '(cat prometheus.yml; echo; echo ---; cat blackbox.yml) > probes.yml',
  files: '.yml,.yaml,.gz',
} satisfies Source;
