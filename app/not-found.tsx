import type { Metadata } from 'next';
import Link from 'next/link';
import { Gate, GateTitle } from '@/app/_components/gate';
import { Button } from '@/app/_components/ui/button';

export const metadata: Metadata = { title: 'Page not found' };

/** Shown for unknown URLs. */
export default function NotFound() {
  return (
    <Gate>
      <div className="grid gap-3">
        <GateTitle>Page not found</GateTitle>
        <p className="text-body text-muted">This page does not exist, was deleted, or belongs to another team.</p>
      </div>
      <Button asChild size="large">
        <Link href="/monitors">Go to monitors</Link>
      </Button>
    </Gate>
  );
}
