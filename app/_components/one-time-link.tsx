import { CopyButton } from './ui/copy-button';

/** A link that is shown only once, with a copy button. */
export function OneTimeLink({ url }: { url: string }) {
  return (
    <div className="grid justify-items-start gap-2 rounded-2 border bg-sunken px-2.5 py-2">
      <p className="mono text-small [overflow-wrap:anywhere]">{url}</p>
      <CopyButton text={url} label="Copy link">
        Copy link
      </CopyButton>
    </div>
  );
}
