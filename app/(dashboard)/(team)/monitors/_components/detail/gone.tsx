import Link from 'next/link';
import { Button } from '@/app/_components/ui/button';
import { Empty } from '@/app/_components/ui/empty';

/** Shown when the monitor is deleted while its page is open. */
export function Gone() {
  return (
    <Empty
      title="Monitor deleted"
      className="mx-auto max-w-[640px] sm:mt-12"
      action={
        <Button asChild>
          <Link href="/monitors">All monitors</Link>
        </Button>
      }
    >
      This monitor was deleted. Its incidents are still listed under Incidents.
    </Empty>
  );
}
