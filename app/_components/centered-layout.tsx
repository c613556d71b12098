import Link from 'next/link';
import type { Tick } from '@/app/_components/charts/bars';
import { Bars } from '@/app/_components/charts/strip';
import { Brand } from '@/app/_components/shell/brand';

/* A sample day: mostly up, with degraded times, maintenance, an outage and an unknown check. */
const day: readonly [from: number, to: number, Tick][] = [
  [22, 24, 'degraded'],
  [58, 63, 'maintenance'],
  [101, 102, 'degraded'],
  [102, 104, 'down'],
  [104, 105, 'degraded'],
  [126, 127, 'unknown'],
];
const ticks: Tick[] = Array.from(
  { length: 144 },
  (_, at) => day.find(([from, to]) => at >= from && at < to)?.[2] ?? 'up',
);

/** The layout of pages outside the dashboard: one narrow column above a strip of checks. */
export function CenteredLayout({ children }: { children: React.ReactNode }) {
  return (
    <div className="grid min-h-dvh grid-rows-[1fr_auto]">
      <main className="m-auto grid w-[min(360px,calc(100vw-32px))] gap-6 pt-10 pb-8">
        <Link href="/" className="justify-self-start text-lead">
          <Brand className="text-lead" />
        </Link>
        {children}
      </main>
      <div aria-hidden="true" className="flex justify-end overflow-hidden">
        <Bars
          ticks={ticks}
          label="A day of checks: mostly up, with one outage"
          height={96}
          pitch={5}
          width={3}
          className="block h-24 w-[max(100%,1280px)] shrink-0"
        />
      </div>
    </div>
  );
}

/** The title of a page in this layout. */
export function CenteredTitle({ children }: { children: React.ReactNode }) {
  return <h1 className="text-display font-semibold tracking-display">{children}</h1>;
}
