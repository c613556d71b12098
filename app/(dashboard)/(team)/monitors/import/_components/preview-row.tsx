import { cn } from '@/app/_components/cn';
import { Checkbox } from '@/app/_components/ui/checkbox';
import { Select } from '@/app/_components/ui/select';
import type { PreviewItem } from '@/server/imports/schema';
import { type Action, actionsOf, defaultAction } from './actions';

/** An item of the preview with its choice. */
export function PreviewRow({
  item,
  action,
  onAction,
}: {
  item: PreviewItem;
  action: Action;
  onAction: (action: Action) => void;
}) {
  const { kind, name, detail, from, becomes, notes, existing } = item;
  const reason = existing?.isImported ? 'imported before' : 'has the same name';
  return (
    <li className="grid grid-cols-[16px_minmax(0,1fr)] items-start gap-x-3 gap-y-1 py-2 md:grid-cols-[16px_minmax(0,1.1fr)_minmax(0,0.6fr)_minmax(0,1.3fr)_150px]">
      <Checkbox
        className="mt-0.5"
        aria-label={`Import ${name}`}
        checked={action !== 'skip'}
        onCheckedChange={(on) => onAction(on === true ? defaultAction(item) : 'skip')}
      />
      <div className="min-w-0">
        <div className="truncate font-medium">{name}</div>
        <div className={cn('text-small text-muted', kind !== 'window' && 'mono truncate')}>{detail}</div>
      </div>
      <div className="col-start-2 min-w-0 text-muted md:col-start-auto">
        {from} → {becomes}
      </div>
      <div className="col-start-2 min-w-0 text-muted [overflow-wrap:anywhere] md:col-start-auto">
        {existing ? <p>{`“${existing.name}” exists (${reason}).`}</p> : null}
        {notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </div>
      <div className="col-start-2 md:col-start-auto md:justify-self-end">
        {existing ? (
          <Select
            look="quiet"
            aria-label={`Action for ${name}`}
            options={actionsOf(item)}
            value={action}
            onValueChange={onAction}
          />
        ) : null}
      </div>
    </li>
  );
}
