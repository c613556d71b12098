'use client';

import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink } from '@trpc/client';
import { useState } from 'react';
import { TRPCProvider } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import { goToLogin } from '@/app/_trpc/go-to-login';
import { withoutDirection } from '@/app/_trpc/without-direction';
import type { AppRouter } from '@/server/api/router';

const url = '/api/trpc';

function onError(error: unknown): void {
  if (readApiError(error).code === 'UNAUTHENTICATED') goToLogin();
}

function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        // The live stream says when something is stale; this is for what it does not cover.
        staleTime: 30_000,
        // An answer of the server is final; only silence is asked again.
        retry: (count, error) => count < 2 && readApiError(error).status === 0,
      },
      // What cannot be sent fails now: kept until the network is back, it would happen when nobody expects it.
      mutations: { networkMode: 'always' },
    },
  });
}

function createClient() {
  return createTRPCClient<AppRouter>({
    links: [
      withoutDirection,
      splitLink({
        condition: (operation) => operation.type === 'subscription',
        true: httpSubscriptionLink({ url }),
        false: httpBatchLink({ url, maxURLLength: 8000, maxItems: 20 }),
      }),
    ],
  });
}

/** The API client and its cache, for every page. Whoever is not signed in any more is sent to sign in. */
export function TrpcProvider({ children }: { children: React.ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  const [trpcClient] = useState(createClient);
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
