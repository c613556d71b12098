import type { Metadata } from 'next';
import { headers } from 'next/headers';
import Link from 'next/link';
import { Gate, GateTitle } from '@/app/_components/gate';
import { Button } from '@/app/_components/ui/button';
import StatusPageNotFound, { metadata as statusPageMetadata } from '@/app/status/[slug]/not-found';

/** Whether it is a customer who looks for something, by the address as it was asked for. */
async function isStatusPage(): Promise<boolean> {
  return (await headers()).get('x-upwatch-path')?.startsWith('/status/') ?? false;
}

export async function generateMetadata(): Promise<Metadata> {
  return (await isStatusPage()) ? statusPageMetadata : { title: 'Nothing is here' };
}

/** What an unknown address shows, and a thing of another team; to customers, who have no monitors, something else. */
export default async function NotFound() {
  if (await isStatusPage()) return <StatusPageNotFound />;
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
