'use client';

import { Alert } from '@/app/_components/ui/alert';
import type { Channel } from '@/server/notifications/schema';

/** The notice of a channel whose messages are not delivered. Renders nothing for a channel that works. */
export function ChannelNotice({ channel, fallback }: { channel: Channel; fallback: string | null }) {
  const { state, lastError } = channel;
  if (state !== 'failing' && state !== 'retrying') return null;
  const error = lastError === null ? null : `${lastError}. `;
  if (state === 'retrying') {
    return (
      <Alert state="degraded" title="The last message was not accepted" className="mb-4">
        {error}Upwatch tries again automatically.
      </Alert>
    );
  }
  return (
    <Alert state="degraded" title="This channel is failing" className="mb-4">
      {error}
      {fallback === null
        ? 'Choose a fallback channel to get its alerts in the meantime.'
        : `Its alerts go to ${fallback} until it works again.`}
    </Alert>
  );
}
