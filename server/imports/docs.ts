import { at } from '@/server/trpc/examples';
import type { OperationDoc } from '@/server/trpc/operation-doc';

const none = { total: 0, waiting: 0, created: 0, updated: 0, kept: 0, failed: 0, deleted: 0, left: 0 };
const example = {
  id: '01KANZBS6T8V0W2X4Y6Z8A0B2C',
  source: 'uptime-kuma',
  fileName: 'kuma.db',
  bytes: 5_120,
  state: 'uploading',
  authorName: 'Robin',
  createdAt: at,
  endedAt: null,
  counts: { channel: none, monitor: none, window: none, page: none },
  current: null,
};
const ready = { ...example, state: 'ready' };
const counts = { ...example.counts, monitor: { ...none, total: 42 } };
const running = { ...example, state: 'running', counts: { ...counts, monitor: { ...counts.monitor, waiting: 42 } } };
const done = {
  ...example,
  state: 'done',
  endedAt: at,
  counts: { ...counts, monitor: { ...counts.monitor, created: 42 } },
};
const preview = {
  import: ready,
  version: '2',
  items: [
    {
      kind: 'monitor',
      key: '12',
      name: 'Shop',
      from: 'http',
      detail: 'shop.example.com',
      becomes: 'HTTP',
      notes: [],
      existing: null,
    },
  ],
  leftOut: [{ kind: 'monitor', name: 'nginx', from: 'docker', reason: 'Containers are not supported.' }],
  notes: ['Groups become tags.'],
  historyDays: 90,
  monitors: { present: 3, most: 200 },
  plan: 'pro',
};

export const importDocs: Record<string, OperationDoc> = {
  'imports.list': {
    id: 'listImports',
    description:
      'Returns the latest 20 imports, newest first. They are kept for 30 days; older ones are forgotten earlier, and their objects stay.',
    answer: { imports: [done] },
  },
  'imports.get': {
    id: 'getImport',
    description: 'Returns an import with its progress and the items that failed, were left by an undo, or have a note.',
    answer: { import: done, items: [] },
  },
  'imports.create': {
    id: 'createImport',
    description:
      'Starts the upload of a file of another tool. `bytes` is the size of the upload; compress a large file with gzip. The team can have three files that wait for their import; a further one replaces the oldest.',
    body: { source: 'uptime-kuma', fileName: 'kuma.db', bytes: 5_120 },
    answer: { import: example },
  },
  'imports.addPart': {
    id: 'addImportPart',
    description:
      'Uploads a part of the file: 512 KiB each, the last one less, in Base64, numbered from 0. A part that is sent again replaces the former one.',
    body: { position: 0, data: 'U1FMaXRlIGZvcm1hdCAzAA==' },
    answer: { ok: true },
  },
  'imports.read': {
    id: 'readImport',
    description:
      'Reads the uploaded file and returns what the import would create, and what cannot be carried over and why. Nothing is created. The file is deleted, also if it cannot be read; what was read of it is stored encrypted for a day. For CSV, `columns` names the column of each setting; an empty text stands for none. For settings that it does not name, columns with usual names are used.',
    answer: preview,
  },
  'imports.preview': {
    id: 'previewImport',
    description: 'Returns the preview of a file that was read.',
    answer: preview,
  },
  'imports.start': {
    id: 'startImport',
    description:
      'Starts the import with these choices. Items are named by kind and key: `monitor:12`. Items that no choice names are created, or kept if they exist. The limits of the plan are checked before anything is created.',
    body: { skip: ['channel:2'], startPaused: true },
    answer: { import: running },
  },
  'imports.run': {
    id: 'runImport',
    description:
      'Creates the next objects of a started import, for about two seconds. Call it until `state` is `done`. An item that is refused does not affect the others.',
    answer: { import: done },
  },
  'imports.undo': {
    id: 'undoImport',
    description:
      'Deletes what the import created, for about two seconds. Call it until `state` is `undone`. What was changed since, or is used by something else, is left and listed by the import, unless `includeChanged` is set.',
    body: { includeChanged: false },
    answer: { import: { ...done, state: 'undone' } },
  },
};
