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
        // Live events mark queries as stale; this covers other data.
        staleTime: 30_000,
        // Retries only if the server did not respond.
        retry: (count, error) => count < 2 && readApiError(error).status === 0,
      },
      // Offline mutations fail at once, because a delayed one would surprise the user.
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

/** The API client and its cache. Redirects to the sign-in page when the session has ended. */
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
