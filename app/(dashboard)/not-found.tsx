'use client';

import Link from 'next/link';
import { Button } from '@/app/_components/ui/button';
import { Empty } from '@/app/_components/ui/empty';
import { useTitle } from '@/app/_components/use-title';

/** Shown on dashboard pages whose object does not exist or belongs to another team. */
export default function DashboardNotFound() {
  useTitle('Page not found · Upwatch');
  return (
    <Empty
      as="h1"
      title="Page not found"
      className="mx-auto max-w-[640px] sm:mt-12"
      action={
        <Button asChild size="small">
          <Link href="/monitors">Go to monitors</Link>
        </Button>
      }
    >
      This page does not exist, was deleted, or belongs to another team.
    </Empty>
  );
}
