import type { Metadata } from 'next';
import { cache } from 'react';
import { CenteredLayout } from '@/app/_components/centered-layout';
import { linked } from '@/app/_trpc/linked';
import { whoAmI } from '@/app/_trpc/server';
import { Failure } from './_components/failure';
import { Invitation } from './_components/invitation';

interface Props {
  params: Promise<{ token: string }>;
}

/** Cached, so that metadata and page share one query. */
const load = cache((token: string) =>
  linked(async (caller) => (await caller.teams.invitations.get({ token })).invitation),
);

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { teamName, status } = await load((await params).token);
  return {
    title: status === 'open' ? `Join ${teamName}` : 'Invitation',
    robots: { index: false },
    referrer: 'no-referrer',
  };
}

/** The page of an invitation link: accept it, or see why it cannot be accepted. */
export default async function InvitePage({ params }: Props) {
  const { token } = await params;
  const [invitation, me] = await Promise.all([load(token), whoAmI()]);
  return (
    <CenteredLayout>
      {invitation.status === 'open' ? (
        <Invitation token={token} invitation={invitation} me={me?.user ?? null} />
      ) : (
        <Failure kind={invitation.status} teamName={invitation.teamName} isSignedIn={me !== null} />
      )}
    </CenteredLayout>
  );
}
