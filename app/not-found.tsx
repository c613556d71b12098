import type { Metadata } from 'next';
import Link from 'next/link';
import { CenteredLayout, CenteredTitle } from '@/app/_components/centered-layout';
import { Button } from '@/app/_components/ui/button';

export const metadata: Metadata = { title: 'Page not found' };

/** Shown for unknown URLs. */
export default function NotFound() {
  return (
    <CenteredLayout>
      <div className="grid gap-3">
        <CenteredTitle>Page not found</CenteredTitle>
        <p className="text-body text-muted">This page does not exist, was deleted, or belongs to another team.</p>
      </div>
      <Button asChild size="large">
        <Link href="/monitors">Go to monitors</Link>
      </Button>
    </CenteredLayout>
  );
}
