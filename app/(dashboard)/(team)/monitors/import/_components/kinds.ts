import type { ImportKind } from '@/server/imports/schema';

/** The names of the kinds of objects, in the order of an import. */
export const kindWords: Record<ImportKind, { one: string; many: string }> = {
  channel: { one: 'channel', many: 'Channels' },
  monitor: { one: 'monitor', many: 'Monitors' },
  window: { one: 'maintenance window', many: 'Maintenance windows' },
  page: { one: 'status page', many: 'Status pages' },
};

/** "1 monitor", "3 monitors". */
export const countOf = (count: number, kind: ImportKind) =>
  `${count.toLocaleString('en')} ${kindWords[kind].one}${count === 1 ? '' : 's'}`;
