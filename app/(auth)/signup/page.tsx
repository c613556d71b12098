import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { CenteredLayout, CenteredTitle } from '@/app/_components/centered-layout';
import { safeNext } from '@/app/_trpc/safe-next';
import { whoAmI } from '@/app/_trpc/server';
import { SignUpForm } from './_components/sign-up-form';

export const metadata: Metadata = { title: 'Create an account' };

interface SignupPageProps {
  searchParams: Promise<{ next?: string | string[] }>;
}

export default async function SignupPage({ searchParams }: SignupPageProps) {
  const { next } = await searchParams;
  const target = safeNext(typeof next === 'string' ? next : null);
  if (await whoAmI()) redirect(target);
  return (
    <CenteredLayout>
      <CenteredTitle>Create an account</CenteredTitle>
      <SignUpForm next={target} />
    </CenteredLayout>
  );
}
