import { Bars } from '@/app/_components/charts/strip';
import { formatPercent } from '@/app/_components/format';
import type { Component } from '@/server/status-pages/schema';
import { Glyph } from './glyph';
import { barSentence, componentWords } from './words';

const bar = { height: 30, pitch: 4.2, width: 3 };

/** The components of the page with their current status and bars of the last 90 days. */
export function Components({ components }: { components: Component[] }) {
  return (
    <section aria-labelledby="services">
      <h2 id="services">Services</h2>
      {components.length === 0 ? (
        <p className="card nothing body muted">No services yet. Services appear here once they are added.</p>
      ) : (
        <ul className="card">
          {components.map((component) => (
            <ComponentRow key={component.id} component={component} />
          ))}
        </ul>
      )}
    </section>
  );
}

function ComponentRow({ component }: { component: Component }) {
  const { id, name, description, status, uptime, days } = component;
  return (
    <li className="component">
      <div className="component-head">
        <h3 className="grow">{name}</h3>
        <span data-state={status} className="state">
          <Glyph state={status} />
          {componentWords[status]}
        </span>
      </div>
      {description === '' ? null : <p className="small muted component-text">{description}</p>}
      <div className="bar" data-component={id}>
        <Bars ticks={days} label={barSentence(component)} {...bar} />
      </div>
      <p className="axis small faint">
        <span>90 days ago</span>
        <span className="num">{uptime === null ? 'No data yet' : `${formatPercent(uptime)} uptime`}</span>
        <span>Today</span>
      </p>
    </li>
  );
}
