'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FailedQuery } from '@/app/_components/failed-query';
import { LoadMore } from '@/app/_components/load-more';
import { Section } from '@/app/_components/page';
import { Button } from '@/app/_components/ui/button';
import { Empty } from '@/app/_components/ui/empty';
import { Icon } from '@/app/_components/ui/icon';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { useTRPC } from '@/app/_trpc/client';
import type { ApiKey } from '@/server/api-keys/schema';
import { ApiKeysTable } from './api-keys-table';
import { CreateKeyDialog } from './create-key-dialog';
import { RevokeKeyDialog } from './revoke-key-dialog';

/** The API keys visible to the user: their own; admins and owners see all keys of the team. */
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
        API keys authenticate scripts to the REST API on behalf of this team, and AI assistants to{' '}
        <code className="font-mono text-small">/api/mcp</code> (Model Context Protocol). A key never has more
        permissions than its creator.
      </p>
      {query.isPending ? <RowsLoading label="Loading API keys" rows={3} /> : null}
      {query.isError && !keys ? (
        <FailedQuery query={query} title="Could not load API keys">
          Existing keys still work.
        </FailedQuery>
      ) : null}
      {keys?.length === 0 ? (
        <Empty title="No API keys yet" action={canCreate ? create : null}>
          {canCreate
            ? 'Create a key for a script, Terraform or a deployment. Its secret is shown once.'
            : 'Viewers cannot create API keys.'}
        </Empty>
      ) : null}
      {keys && keys.length > 0 ? <ApiKeysTable keys={keys} userId={userId} onRevoke={setRevoking} /> : null}
      <LoadMore query={query} />
      <CreateKeyDialog open={creating} onOpenChange={setCreating} />
      <RevokeKeyDialog apiKey={revoking} onClose={() => setRevoking(null)} />
    </Section>
  );
}
