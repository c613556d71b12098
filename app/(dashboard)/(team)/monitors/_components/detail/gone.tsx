import Link from 'next/link';
import { Button } from '@/app/_components/ui/button';
import { Empty } from '@/app/_components/ui/empty';

/** What is shown when the monitor was deleted while its page was open. */
export function Gone() {
  return (
    <Empty
      title="This monitor is gone"
      className="mx-auto max-w-[640px] sm:mt-12"
      action={
        <Button asChild>
          <Link href="/monitors">All monitors</Link>
        </Button>
      }
    >
      It was deleted. Its incidents are still in the list of incidents.
    </Empty>
  );
}
