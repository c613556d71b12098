'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FailedQuery } from '@/app/_components/failed-query';
import { LoadMore } from '@/app/_components/load-more';
import { Button } from '@/app/_components/ui/button';
import { Empty } from '@/app/_components/ui/empty';
import { Icon } from '@/app/_components/ui/icon';
import { Section } from '@/app/_components/ui/page';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { useTRPC } from '@/app/_trpc/client';
import type { ApiKey } from '@/server/api-keys/schema';
import { ApiKeysTable } from './api-keys-table';
import { CreateKeyDialog } from './create-key-dialog';
import { RevokeKeyDialog } from './revoke-key-dialog';

/** The keys a person may see: their own, and for admins and owners all of the team. */
export function ApiKeysView({ userId, canCreate }: { userId: string; canCreate: boolean }) {
  const trpc = useTRPC();
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const query = useInfiniteQuery(
    trpc.apiKeys.list.infiniteQueryOptions(
      { limit: 100 },
      { getNextPageParam: (page) => page.nextCursor ?? undefined },
    ),
  );
  const keys = query.data?.pages.flatMap((page) => page.apiKeys);
  const create = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Icon name="plus" />
      New API key
    </Button>
  );
  return (
    <Section title="API keys" actions={canCreate && keys && keys.length > 0 ? create : null}>
      <p className="mb-4 max-w-[76ch] text-muted">
        A key lets a script use the REST interface in this team’s name, with no more rights than its creator has.
      </p>
      {query.isPending ? <RowsLoading label="Loading the API keys" rows={3} /> : null}
      {query.isError && !keys ? (
        <FailedQuery query={query} title="Could not load the API keys">
          Scripts go on working; only this list is missing.
        </FailedQuery>
      ) : null}
      {keys?.length === 0 ? (
        <Empty title="No API keys" action={canCreate ? create : null}>
          {canCreate
            ? 'Make one for a script, a Terraform run or a deployment. Its secret is shown once.'
            : 'Keys you make as a member are listed here. Viewers make none.'}
        </Empty>
      ) : null}
      {keys && keys.length > 0 ? <ApiKeysTable keys={keys} userId={userId} onRevoke={setRevoking} /> : null}
      <LoadMore query={query} />
      <CreateKeyDialog open={creating} onOpenChange={setCreating} />
      <RevokeKeyDialog apiKey={revoking} onClose={() => setRevoking(null)} />
    </Section>
  );
}
