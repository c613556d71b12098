import type { Metadata } from 'next';
import { CenteredLayout } from '@/app/_components/centered-layout';
import { whoAmI } from '@/app/_trpc/server';
import { Failure } from './_components/failure';

export const metadata: Metadata = { title: 'Invitation not found' };

/** Shown for a link without an invitation. */
export default async function InvitationNotFound() {
  return (
    <CenteredLayout>
      <Failure kind="unknown" teamName={null} isSignedIn={(await whoAmI()) !== null} />
    </CenteredLayout>
  );
}
