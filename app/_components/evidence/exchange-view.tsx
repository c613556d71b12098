import { formatCount } from '@/app/_components/format';
import { CopyButton } from '@/app/_components/ui/copy-button';
import type { AttemptExchange } from '@/server/incidents/schema';
import { toCurl } from './to-curl';

const block = 'font-mono text-small whitespace-pre-wrap [overflow-wrap:anywhere]';

interface ExchangeViewProps {
  exchange: AttemptExchange;
  /** The URL of the monitor, if this is the request to it. */
  url: string | null;
}

/** A request or command and its response, verbatim. */
export function ExchangeView({ exchange: { request, response, body }, url }: ExchangeViewProps) {
  const command = request && url !== null ? toCurl(request, url) : null;
  return (
    <div className="grid gap-3 rounded-2 border px-3 py-2">
      {request ? <Message title="Sent" command={command} {...request} /> : null}
      {response ? <Message title="Received" {...response} /> : null}
      {request && !response && !body ? <p className="text-muted">No response.</p> : null}
      {body && body.bytes > 0 ? <Body {...body} hasHead={response !== null} /> : null}
    </div>
  );
}

function Title({ children }: { children: React.ReactNode }) {
  return <h4 className="text-small font-medium text-muted">{children}</h4>;
}

type Head = NonNullable<AttemptExchange['request']>;

function Message({ title, line, headers, command = null }: { title: string; command?: string | null } & Head) {
  return (
    <div className="grid min-w-0 gap-1">
      <div className="flex min-h-7 items-center justify-between gap-2">
        <Title>{title}</Title>
        {command === null ? null : (
          <CopyButton text={command} label="Copy as cURL">
            Copy as cURL
          </CopyButton>
        )}
      </div>
      <p className={`${block} font-medium`}>{line}</p>
      {headers.length > 0 ? (
        <ul className={block}>
          {headers.map(({ name, value }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a header may be repeated
            <li key={index}>
              <span className="text-muted">{name}:</span> {value}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

/** "13 bytes", "the first 16 KiB of 20,000 bytes". */
function sizeOf({ bytes, isTruncated }: NonNullable<AttemptExchange['body']>): string {
  const all = `${formatCount(bytes)} ${bytes === 1 ? 'byte' : 'bytes'}`;
  return isTruncated ? `start of at least ${all}` : all;
}

const reasons = {
  setting: 'Not stored: the monitor does not save response bodies.',
  not_text: 'Not stored: this body is not text.',
  not_masked: 'Not stored: secrets could not be masked in it, because it is too large or encoded too often.',
};

function Body({ hasHead, ...body }: NonNullable<AttemptExchange['body']> & { hasHead: boolean }) {
  const title = hasHead ? 'Body' : 'Received';
  return (
    <div className="grid min-w-0 gap-1">
      <Title>
        {title}, {sizeOf(body)}
      </Title>
      {body.text === null ? (
        <p className="text-muted">{reasons[body.notStored ?? 'not_text']}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
        <section aria-label={title} tabIndex={0} className="max-h-80 overflow-y-auto focus-inset">
          <pre className={block}>{body.text}</pre>
        </section>
      )}
    </div>
  );
}
