import Link from 'next/link';
import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';

/** The button of a list that opens the page for a new object. */
export function NewButton({ href, children }: { href: string; children: React.ReactNode }) {
  return (
    <Button asChild variant="primary">
      <Link href={href}>
        <Icon name="plus" />
        {children}
      </Link>
    </Button>
  );
}
