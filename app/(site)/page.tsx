import Link from 'next/link';
import { redirect } from 'next/navigation';
import { Gate, GateTitle } from '@/app/_components/gate';
import { Button } from '@/app/_components/ui/button';
import { linkClass } from '@/app/_components/ui/page';
import { whoAmI } from '@/app/_trpc/server';

/** The front door: people who are signed in go straight to their monitors. */
export default async function HomePage() {
  if (await whoAmI()) redirect('/monitors');
  return (
    <Gate>
      <div className="grid gap-3">
        <GateTitle>Know when it stops answering</GateTitle>
        <p className="text-body text-muted">
          Upwatch checks your sites and ports, tells your team when one goes down and when it is back, and keeps what it
          saw: the answer, the timings, the minute it began.
        </p>
      </div>
      <div className="grid gap-2">
        <Button asChild variant="primary" size="large">
          <Link href="/signup">Create an account</Link>
        </Button>
        <Button asChild size="large">
          <Link href="/login">Sign in</Link>
        </Button>
      </div>
      <p className="text-muted">Messages go by email, Slack, Discord, LINE or a signed webhook.</p>
      <p className="text-muted">
        Everything the dashboard does, a script can do: see the{' '}
        <Link className={linkClass} href="/docs">
          API reference
        </Link>
        .
      </p>
    </Gate>
  );
}
