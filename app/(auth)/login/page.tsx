import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { CenteredLayout, CenteredTitle } from '@/app/_components/centered-layout';
import { safeNext } from '@/app/_trpc/safe-next';
import { whoAmI } from '@/app/_trpc/server';
import { LogInForm } from './_components/log-in-form';

export const metadata: Metadata = { title: 'Sign in' };

interface LoginPageProps {
  searchParams: Promise<{ next?: string | string[] }>;
}

export default async function LoginPage({ searchParams }: LoginPageProps) {
  const { next } = await searchParams;
  const target = safeNext(typeof next === 'string' ? next : null);
  if (await whoAmI()) redirect(target);
  return (
    <CenteredLayout>
      <CenteredTitle>Welcome back</CenteredTitle>
      <LogInForm next={target} />
    </CenteredLayout>
  );
}
