import { DetailList } from '@/app/_components/page';
import { Timestamp } from '@/app/_components/time/time';
import { Icon } from '@/app/_components/ui/icon';
import type { AuditEntry } from '@/server/audit/schema';
import { type ChangedField, changedFields, credentialOf, sentenceOf } from './words';

/** One entry as a sentence; expands to the changed fields and the request. */
export function AuditRow({ entry }: { entry: AuditEntry }) {
  const { id, at, target, reason } = entry;
  const { who, did, what } = sentenceOf(entry);
  const credential = credentialOf(entry);
  const mono = (text: string | null) => text && <span className="mono text-small">{text}</span>;
  return (
    <li className="border-b">
      <details className="group">
        <summary className="flex min-h-10 list-none items-start gap-3 py-2 pr-2 hover:bg-hover focus-inset [&::-webkit-details-marker]:hidden">
          <Icon name="chevron-right" small className="mt-[3px] shrink-0 text-faint group-open:rotate-90" />
          <span className="min-w-0 grow [overflow-wrap:anywhere]">
            <span className="font-medium">{who}</span> {did} <span className="font-medium">{what}</span>
            {entry.actor.kind === 'key' ? <span className="text-faint"> by {credential}</span> : null}
          </span>
          <Timestamp at={at} className="shrink-0 text-small text-faint" />
        </summary>
        <div className="grid gap-3 pr-2 pb-4 pl-[26px]">
          {reason ? <p className="[overflow-wrap:anywhere]">Reason: {reason}</p> : null}
          <Changes fields={changedFields(entry)} columns={columnsOf(entry)} />
          <DetailList
            className="max-w-[560px] text-small"
            facts={[
              ['Time', <Timestamp key="at" at={at} full />],
              ['Action', mono(entry.action)],
              ['Credential', credential],
              ['IP address', mono(entry.address)],
              ['Target ID', mono(target.id)],
              ['Request ID', mono(entry.requestId)],
              ['Entry ID', mono(id)],
            ]}
          />
        </div>
      </details>
    </li>
  );
}

type Column = 'before' | 'after';

const columnWords: Record<Column, string> = { before: 'Before', after: 'After' };

/** A created object has no "before", a deleted one no "after". */
function columnsOf({ before, after }: AuditEntry): Column[] {
  return [...(before ? ['before' as const] : []), ...(after ? ['after' as const] : [])];
}

function Changes({ fields, columns }: { fields: ChangedField[]; columns: Column[] }) {
  if (fields.length === 0) return null;
  const value = (text: string | null) =>
    text === null ? (
      <span className="text-faint">–</span>
    ) : (
      <pre className="font-mono text-small whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</pre>
    );
  return (
    <dl className="grid gap-px overflow-hidden rounded-3 border bg-border [&>div]:bg-surface">
      {fields.map((field) => (
        <div
          key={field.name}
          className="grid gap-x-4 gap-y-1 px-3 py-2 sm:auto-cols-fr sm:grid-flow-col sm:grid-cols-[140px]"
        >
          <dt className="mono text-small text-muted">{field.name}</dt>
          {columns.map((column) => (
            <dd key={column} className="min-w-0">
              {columns.length > 1 ? <p className="text-micro text-faint">{columnWords[column]}</p> : null}
              {value(field[column])}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}
