import Link from 'next/link';
import { redirect } from 'next/navigation';
import { CenteredLayout, CenteredTitle } from '@/app/_components/centered-layout';
import { channelKinds } from '@/app/_components/channels';
import { linkClass } from '@/app/_components/page';
import { Button } from '@/app/_components/ui/button';
import { whoAmI } from '@/app/_trpc/server';

/** The landing page. Signed-in users are redirected to their monitors. */
export default async function HomePage() {
  if (await whoAmI()) redirect('/monitors');
  return (
    <CenteredLayout>
      <div className="grid gap-3">
        <CenteredTitle>Know when your site goes down</CenteredTitle>
        <p className="text-body text-muted">
          Upwatch monitors your websites, APIs, ports and cron jobs, alerts your team when one goes down or recovers,
          and records every response, its timings and its cause.
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
      <p className="text-muted">Alerts by {channelKinds}.</p>
      <p className="text-muted">
        Everything in the dashboard is also available through the API. See the{' '}
        <Link className={linkClass} href="/docs">
          API reference
        </Link>
        .
      </p>
    </CenteredLayout>
  );
}
