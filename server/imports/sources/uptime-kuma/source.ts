import type { Source } from '../source';

export const uptimeKuma = {
  label: 'Uptime Kuma',
  summary: 'kuma.db or a backup as JSON',
  help: 'Stop Uptime Kuma 1 or 2 and take kuma.db from its data folder. Or, with version 1: Settings, Backup, Export.',
  files: '.db,.sqlite,.json,.gz',
} satisfies Source;
