import type { Source } from '../source';

export const csv = {
  label: 'CSV',
  summary: 'Any columns, you map them',
  help: 'A table of any tool or spreadsheet, with the names of its columns in the first row, as UTF-8. Every row becomes a monitor.',
  files: '.csv,.tsv,.gz',
  hasColumns: true,
} satisfies Source;
