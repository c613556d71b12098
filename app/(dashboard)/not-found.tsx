import Link from 'next/link';
import { Button } from '@/app/_components/ui/button';
import { Empty } from '@/app/_components/ui/empty';

/** What a page of the dashboard shows where its thing does not exist, or belongs to another team. */
export default function DashboardNotFound() {
  return (
    <Empty
      as="h1"
      title="Nothing is here"
      className="mx-auto max-w-[640px] sm:mt-12"
      action={
        <Button asChild size="small">
          <Link href="/monitors">Go to the monitors</Link>
        </Button>
      }
    >
      It does not exist, was deleted, or belongs to a team you are not in just now.
    </Empty>
  );
}
