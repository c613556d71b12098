import type { Metadata } from 'next';
import Link from 'next/link';
import { Gate, GateTitle } from '@/app/_components/gate';
import { Button } from '@/app/_components/ui/button';

export const metadata: Metadata = { title: 'Nothing is here' };

/** What an unknown address shows, and a thing of another team. */
export default function NotFound() {
  return (
    <Gate>
      <div className="grid gap-3">
        <GateTitle>Nothing is here</GateTitle>
        <p className="text-body text-muted">
          This page does not exist, was deleted, or belongs to a team you are not in just now.
        </p>
      </div>
      <Button asChild size="large">
        <Link href="/monitors">Go to the monitors</Link>
      </Button>
    </Gate>
  );
}
