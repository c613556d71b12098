'use client';

import { createTRPCContext } from '@trpc/tanstack-react-query';
import type { AppRouter } from '@/server/api/router';

/** `useTRPC()` returns `queryOptions`, `mutationOptions` and query keys of every procedure for react-query's hooks. */
export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();
