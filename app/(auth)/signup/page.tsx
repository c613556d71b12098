import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { Gate, GateTitle } from '@/app/_components/gate';
import { safeNext } from '@/app/_trpc/safe-next';
import { whoAmI } from '@/app/_trpc/server';
import { SignUpForm } from './_components/sign-up-form';

export const metadata: Metadata = { title: 'Create an account' };

interface SignupPageProps {
  searchParams: Promise<{ next?: string | string[] }>;
}

/** Making an account and its team, and signing in at once. */
export default async function SignupPage({ searchParams }: SignupPageProps) {
  const { next } = await searchParams;
  const target = safeNext(typeof next === 'string' ? next : null);
  if (await whoAmI()) redirect(target);
  return (
    <Gate>
      <GateTitle>Create an account</GateTitle>
      <SignUpForm next={target} />
    </Gate>
  );
}
