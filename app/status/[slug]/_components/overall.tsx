import { Glyph } from '@/app/_components/ui/glyph';
import type { PublicStatusPage } from '@/server/status-pages/schema';
import { Fresh } from './fresh';
import { overallStates } from './words';

/** The page in one line, and how fresh it is. */
export function Overall({ page }: { page: PublicStatusPage }) {
  const state = overallStates[page.overall];
  const others = page.components.filter(({ status }) => status !== state);
  const rest = state !== 'up' && others.length > 0 && others.every(({ status }) => status === 'up');
  return (
    <div
      data-state={state}
      className="flex items-center gap-4 rounded-4 border border-s-border bg-s-subtle p-5 [--cut:var(--s-subtle)]"
    >
      <Glyph state={state} size="plate" />
      <div className="min-w-0">
        <h1 className="text-[22px] leading-7 tracking-display sm:text-[26px] sm:leading-8">{page.headline}</h1>
        {rest ? <p className="text-body">Everything else works.</p> : null}
        <Fresh slug={page.slug} version={page.version} checkedAt={page.checkedAt} />
      </div>
    </div>
  );
}
