import { Evidence, Section } from '@/app/_components/page';
import { CopyButton } from '@/app/_components/ui/copy-button';
import { type Channel, channelDefinitionOf } from '@/server/notifications/schema';

/** The URL to enter at the provider for buttons in messages. Renders nothing for kinds without buttons. */
export function CallbackUrl({ channel }: { channel: Channel }) {
  const { callback } = channelDefinitionOf(channel.type);
  if (!callback || !('callbackUrl' in channel)) return null;
  return (
    <Section title="Button in alerts">
      <p className="mb-3 text-muted">{callback.help}</p>
      <Evidence
        head={
          <>
            <span>{callback.label}</span>
            <span className="grow" />
            <CopyButton text={channel.callbackUrl} label={`Copy ${callback.label}`}>
              Copy
            </CopyButton>
          </>
        }
      >
        <p className="px-3 py-2.5 font-mono [overflow-wrap:anywhere]">{channel.callbackUrl}</p>
      </Evidence>
    </Section>
  );
}
