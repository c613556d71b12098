'use client';

import { Alert } from '@/app/_components/ui/alert';
import { Tag } from '@/app/_components/ui/tag';
import { managedBy } from '@/server/managed-ids/schema';

/** The mark of an object that files in Git describe. Renders nothing for all others. */
export function ManagedByGit({ externalId }: { externalId: string | null }) {
  const managed = managedBy(externalId);
  if (!managed) return null;
  return <Tag title={`Project ${managed.project}, key ${managed.key}`}>Managed by Git</Tag>;
}

/** The warning before an edit of such an object. */
export function ManagedWarning({ externalId }: { externalId: string | null }) {
  const managed = managedBy(externalId);
  if (!managed) return null;
  return (
    <Alert state="unknown" title="Managed by Git" className="mb-4">
      The files of the project {managed.project} describe this as {managed.key}. The next apply replaces what you change
      here, so change the files instead.
    </Alert>
  );
}
