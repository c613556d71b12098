import type { PreviewItem } from '@/server/imports/schema';

/** What is done with an item: `keep` uses the object that exists. */
export type Action = 'create' | 'keep' | 'copy' | 'update' | 'skip';

/** The ID of an item among all kinds. */
export const refOf = ({ kind, key }: PreviewItem) => `${kind}:${key}`;

export const defaultAction = ({ existing }: PreviewItem): Action => (existing ? 'keep' : 'create');

/** The chosen action of an item. */
export const actionOf = (item: PreviewItem, chosen: ReadonlyMap<string, Action>) =>
  chosen.get(refOf(item)) ?? defaultAction(item);

/** The actions that are possible for an item that exists. */
export function actionsOf({ kind, existing }: PreviewItem): { value: Action; label: string }[] {
  const update = { value: 'update' as const, label: 'Update' };
  return [
    { value: 'keep', label: 'Keep existing' },
    ...(kind === 'monitor' && existing?.isImported ? [update] : []),
    { value: 'copy', label: 'Import as copy' },
    { value: 'skip', label: 'Skip' },
  ];
}
