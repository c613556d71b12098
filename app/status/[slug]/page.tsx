import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { errorCode, pageCaller } from '@/app/_trpc/server';
import { Components } from './_components/components';
import { Head } from './_components/head';
import { OpenIncidents } from './_components/open-incidents';
import { Overall } from './_components/overall';
import { PastIncidents } from './_components/past-incidents';
import { Planned } from './_components/planned';

interface Props {
  params: Promise<{ slug: string }>;
}

/** The page for a stranger; one that is private or does not exist is Next's 404. */
const readPage = cache(async (slug: string) => {
  const caller = await pageCaller();
  try {
    return await caller.statusPages.public({ slug });
  } catch (error) {
    if (errorCode(error) === 'NOT_FOUND') notFound();
    throw error;
  }
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { title, headline, description, url } = await readPage((await params).slug);
  return {
    title: { absolute: `${headline} · ${title} status` },
    description: description || `How ${title} is, and what happened in the last 90 days.`,
    alternates: {
      canonical: url,
      types: { 'application/atom+xml': `${url}/feed.atom`, 'application/rss+xml': `${url}/feed.rss` },
    },
  };
}

/** What customers see: how everything is, what is wrong, and what was. Reads the same without JavaScript. */
export default async function PublicStatusPage({ params }: Props) {
  const page = await readPage((await params).slug);
  return (
    <div className="min-h-dvh bg-canvas">
      <div className="mx-auto max-w-[860px] px-4 pt-5 pb-12 sm:pt-8">
        <Head page={page} />
        <main>
          <Overall page={page} />
          <OpenIncidents incidents={page.openIncidents} />
          <Components components={page.components} />
          <Planned maintenances={page.maintenances} components={page.components} />
          <PastIncidents incidents={page.pastIncidents} />
        </main>
        <footer className="mt-12 flex flex-wrap items-center gap-x-4 gap-y-2 border-t pt-4 text-small text-faint">
          <span>Times in UTC.</span>
          <span className="grow" />
          <span>Watched by Upwatch</span>
        </footer>
      </div>
    </div>
  );
}
