import { phaseTimes } from '@/app/_components/charts/phases';
import { Waterfall } from '@/app/_components/charts/waterfall';
import { formatTimestamp } from '@/app/_components/format';
import { DetailList } from '@/app/_components/page';
import { TextWithTimes } from '@/app/_components/time/text-with-times';
import { Icon } from '@/app/_components/ui/icon';
import type { AttemptStep, CheckAttempt } from '@/server/incidents/schema';
import { ExchangeView } from './exchange-view';
import { StepFacts } from './step-facts';

const heading = 'text-small font-medium text-muted';

/** The address that a check connected to, or tried to: "192.0.2.1:443", "[2001:db8::1]:443". */
export function addressOf({ address, port }: CheckAttempt['connections'][number]): string {
  if (port === null) return address;
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

function connectionsOf({ connections }: CheckAttempt): string | null {
  const texts = connections.map((each) => (each.error ? `${addressOf(each)} (${each.error})` : addressOf(each)));
  return texts.length > 0 ? texts.join(', ') : null;
}

function certificateOf({ certificate }: CheckAttempt): string | null {
  if (!certificate) return null;
  const { subject, issuer, validTo } = certificate;
  const until = formatTimestamp(validTo, { style: 'full', now: 0, timeZone: 'UTC' });
  return `${subject || 'no name'}, issued by ${issuer || 'an unnamed issuer'}, valid until ${until}`;
}

/** Everything that a check recorded. Data from the target is rendered as text, never as markup. */
export function AttemptDetails({ attempt, url }: { attempt: CheckAttempt; url: string | null }) {
  const { error, addresses, certificate, steps = [] } = attempt;
  const isOwn = (part: { step?: number | undefined }) => part.step === undefined;
  const [rules, exchanges] = [attempt.rules.filter(isOwn), attempt.exchanges.filter(isOwn)];
  const times = phaseTimes(attempt);
  const happened = Object.values(times).some((time) => time !== null);
  return (
    <div className="grid gap-4 border-t bg-surface px-3 py-3">
      {error ? (
        <p className="[overflow-wrap:anywhere]">
          <TextWithTimes>{error}</TextWithTimes>
        </p>
      ) : null}
      {rules.length > 0 ? <Rules rules={rules} /> : null}
      {steps.length > 0 ? <AttemptSteps attempt={attempt} steps={steps} /> : null}
      {happened && steps.length === 0 ? <Waterfall times={times} columns={[{ label: 'Time', times }]} /> : null}
      <DetailList
        facts={[
          ['Resolved to', addresses.length > 0 ? <Mono key="addresses">{addresses.join(', ')}</Mono> : null],
          ['Connection', connectionsOf(attempt) && <Mono key="connections">{connectionsOf(attempt)}</Mono>],
          ['Certificate', certificateOf(attempt)],
          ['Fingerprint', certificate?.fingerprint ? <Mono key="print">{certificate.fingerprint}</Mono> : null],
        ]}
      />
      {exchanges.map((exchange, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no identity but their order, which is final
        <ExchangeView key={index} exchange={exchange} url={index === 0 ? url : null} />
      ))}
    </div>
  );
}

function Mono({ children }: { children: React.ReactNode }) {
  return <span className="font-mono text-small">{children}</span>;
}

/** The steps of a check; the one that failed is open. */
function AttemptSteps({ attempt, steps }: { attempt: CheckAttempt; steps: AttemptStep[] }) {
  return (
    <div className="grid min-w-0 gap-1">
      <h4 className={heading}>Steps</h4>
      <ol className="divide-y rounded-2 border">
        {steps.map((step, index) => (
          <li key={step.name}>
            {step.isMet === null ? (
              <div className="px-3 py-2">
                <StepLine step={step} index={index} />
              </div>
            ) : (
              <details open={!step.isMet} className="group">
                <summary className="list-none px-3 py-2 hover:bg-hover focus-inset [&::-webkit-details-marker]:hidden">
                  <StepLine step={step} index={index} />
                </summary>
                <StepDetails attempt={attempt} step={step} index={index} />
              </details>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

function StepLine({ step, index }: { step: AttemptStep; index: number }) {
  return (
    <span className="flex min-w-0 items-baseline gap-x-3">
      <StepFacts step={step} index={index} />
    </span>
  );
}

function StepDetails({ attempt, step, index }: { attempt: CheckAttempt; step: AttemptStep; index: number }) {
  const times = phaseTimes(step);
  const rules = attempt.rules.filter((rule) => rule.step === index);
  const exchanges = attempt.exchanges.filter((exchange) => exchange.step === index);
  return (
    <div className="grid min-w-0 gap-4 border-t px-3 py-3">
      {rules.length > 0 ? <Rules rules={rules} /> : null}
      <Waterfall times={times} columns={[{ label: 'Time', times }]} />
      {exchanges.map((exchange, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no identity but their order, which is final
        <ExchangeView key={place} exchange={exchange} url={null} />
      ))}
    </div>
  );
}

function Rules({ rules }: Pick<CheckAttempt, 'rules'>) {
  return (
    <div className="grid gap-1">
      <h4 className={heading}>Rules</h4>
      <ul className="divide-y">
        {rules.map(({ rule, value, isMet }) => (
          <li key={rule} className="flex flex-wrap items-baseline gap-x-3 py-1">
            <span data-state={isMet ? 'up' : 'down'} className="inline-flex items-center gap-1.5 text-s-fg">
              <Icon name={isMet ? 'check' : 'x'} small />
              <span className="sr-only">{isMet ? 'Passed:' : 'Failed:'}</span>
            </span>
            <span className="min-w-0 flex-1 font-mono text-small [overflow-wrap:anywhere]">{rule}</span>
            <span className="min-w-0 font-mono text-small text-muted [overflow-wrap:anywhere]">
              {value ?? <span className="font-sans text-faint">no value</span>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
