import { Bars } from '@/app/_components/charts/strip';
import { formatPercent } from '@/app/_components/format';
import { StateLabel } from '@/app/_components/ui/state-label';
import type { Component } from '@/server/status-pages/schema';
import { barSentence, componentWords } from './words';

/** What the page watches: how each is, and its last 90 days, a tick a day. */
export function Components({ components }: { components: Component[] }) {
  return (
    <section aria-labelledby="services" className="mt-8">
      <h2 id="services" className="mb-3">
        Services
      </h2>
      {components.length === 0 ? (
        <p className="rounded-4 border bg-surface px-4 py-5 text-body text-muted sm:px-5">
          Nothing is shown here yet. Services stand here as soon as they are watched.
        </p>
      ) : (
        <ul className="divide-y overflow-hidden rounded-4 border bg-surface">
          {components.map((component) => (
            <ComponentRow key={component.id} component={component} />
          ))}
        </ul>
      )}
    </section>
  );
}

function ComponentRow({ component }: { component: Component }) {
  const { name, status, uptime, days } = component;
  return (
    <li className="px-4 pt-3.5 pb-3 sm:px-5">
      <div className="mb-2 flex items-center gap-2.5">
        <h3 className="min-w-0 grow text-body font-semibold [overflow-wrap:anywhere]">{name}</h3>
        <StateLabel state={status} word={componentWords[status]} />
      </div>
      <Bars
        ticks={days}
        label={barSentence(component)}
        height={30}
        pitch={4.2}
        width={3}
        className="block h-[34px] w-full"
      />
      <p className="mt-1 flex justify-between gap-2 text-small text-faint">
        <span>90 days ago</span>
        <span className="num">{uptime === null ? 'No data yet' : `${formatPercent(uptime)} uptime`}</span>
        <span>Today</span>
      </p>
    </li>
  );
}
