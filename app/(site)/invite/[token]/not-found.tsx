import type { Metadata } from 'next';
import { Gate } from '@/app/_components/gate';
import { whoAmI } from '@/app/_trpc/server';
import { Failure } from './_components/failure';

export const metadata: Metadata = { title: 'Invitation not found' };

/** Shown for a link without an invitation. */
export default async function InvitationNotFound() {
  return (
    <Gate>
      <Failure kind="unknown" teamName={null} isSignedIn={(await whoAmI()) !== null} />
    </Gate>
  );
}
