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
import type { AgentToken } from '@/server/agents/schema';
import { AgentsTable } from './agents-table';
import { CreateTokenDialog } from './create-token-dialog';
import { RevokeTokenDialog } from './revoke-token-dialog';
import { TokensTable } from './tokens-table';

/** Agents report at this interval. */
const REFRESH_MS = 10_000;

/** The team's agents and their tokens. */
export function AgentsView({ canManage }: { canManage: boolean }) {
  const trpc = useTRPC();
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<AgentToken | null>(null);
  const page = { limit: 50 };
  const getNextPageParam = ({ nextCursor }: { nextCursor: string | null }) => nextCursor ?? undefined;
  const tokens = useInfiniteQuery(trpc.agents.listTokens.infiniteQueryOptions(page, { getNextPageParam }));
  const running = useInfiniteQuery(
    trpc.agents.list.infiniteQueryOptions(page, { getNextPageParam, refetchInterval: REFRESH_MS }),
  );
  const agentTokens = tokens.data?.pages.flatMap((each) => each.agentTokens);
  const agents = running.data?.pages.flatMap((each) => each.agents);
  const create = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Icon name="plus" />
      New agent token
    </Button>
  );
  return (
    <>
      <Section title="Agent tokens" actions={canManage && agentTokens && agentTokens.length > 0 ? create : null}>
        <p className="mb-4 max-w-[76ch] text-muted">
          An agent checks monitors from inside your network, such as an office or a private cloud. It connects out to
          Upwatch, so no port has to be opened. A token is for one private region; monitors that select only private
          regions are checked by agents alone.
        </p>
        {tokens.isPending ? <RowsLoading label="Loading agent tokens" rows={2} /> : null}
        {tokens.isError && !agentTokens ? (
          <FailedQuery query={tokens} title="Could not load agent tokens">
            Running agents are not affected.
          </FailedQuery>
        ) : null}
        {agentTokens?.length === 0 ? (
          <Empty title="No agent tokens yet" action={canManage ? create : null}>
            {canManage
              ? 'Create a token, and start an agent with it on a machine of your network.'
              : 'Owners and admins create agent tokens.'}
          </Empty>
        ) : null}
        {agentTokens && agentTokens.length > 0 ? (
          <TokensTable tokens={agentTokens} onRevoke={canManage ? setRevoking : null} />
        ) : null}
        <LoadMore query={tokens} />
      </Section>
      {agents && agents.length > 0 ? (
        <Section title="Agents" note="figures of the last five minutes">
          <AgentsTable agents={agents} />
          <LoadMore query={running} />
        </Section>
      ) : null}
      {running.isError && !agents ? (
        <FailedQuery query={running} title="Could not load agents">
          Checks are not affected.
        </FailedQuery>
      ) : null}
      <CreateTokenDialog open={creating} onOpenChange={setCreating} />
      <RevokeTokenDialog token={revoking} onClose={() => setRevoking(null)} />
    </>
  );
}
