'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { FailedQuery } from '@/app/_components/failed-query';
import { DetailList, linkClass, Section } from '@/app/_components/page';
import { Timestamp } from '@/app/_components/time/time';
import { Alert } from '@/app/_components/ui/alert';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { RemovalPreview } from '@/server/admin/schema';
import { ForceDeleteForm } from './force-delete-form';
import { RemovalList } from './removal-list';
import { ResetLink } from './reset-link';

export interface UserViewProps {
  userId: string;
  initial: { preview: RemovalPreview } | undefined;
}

/** One account: its details, a reset link, and its deletion with a preview. */
export function UserView({ userId, initial }: UserViewProps) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.users.previewForceDelete.queryOptions({ userId }, { ...(initial && { initialData: initial }) }),
  );
  const preview = query.data?.preview;
  if (!preview) {
    if (query.isPending) return <RowsLoading label="Loading user" rows={4} />;
    return (
      <FailedQuery
        query={query}
        title={readApiError(query.error).code === 'NOT_FOUND' ? 'User not found' : 'Could not load user'}
      />
    );
  }
  const { user } = preview;
  return (
    <>
      <p className="mb-2 text-small">
        <Link href="/instance/users" className={linkClass}>
          All users
        </Link>
      </p>
      <Section title={<span className="[overflow-wrap:anywhere]">{user.email}</span>}>
        <DetailList
          className="max-w-[560px]"
          facts={[
            ['Name', user.name],
            [
              'ID',
              <span key="id" className="mono text-small">
                {user.id}
              </span>,
            ],
            ['Created', <Timestamp key="since" at={user.createdAt} full />],
            ['Instance administrator', user.isAdmin ? 'Yes' : 'No'],
          ]}
        />
      </Section>
      <Section title="Reset password" className="max-w-[760px]">
        <ResetLink userId={userId} />
      </Section>
      <Section title="Delete account" className="max-w-[760px]">
        <p className="mb-4 text-muted">
          This deletes the account immediately and cannot be undone. The following data will be deleted:
        </p>
        <RemovalList preview={preview} />
        {preview.refusal ? (
          <Alert state="unknown" title={preview.refusal} className="mt-5">
            Make another account an administrator first. An instance needs at least one.
          </Alert>
        ) : (
          <ForceDeleteForm userId={userId} email={user.email} />
        )}
      </Section>
    </>
  );
}
