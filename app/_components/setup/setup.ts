/** How far a team has set up its alerts and its page for customers. */
export interface Setup {
  hasChannel: boolean;
  hasStatusPage: boolean;
  /** Whether an incident would notify somebody: by a channel whose address is confirmed, or by an escalation policy. */
  isNotified: boolean;
}

/** The maximum number of channels that are read to find a confirmed one. */
export const CHANNELS_READ = 100;

export function toSetup(
  channels: readonly { confirmation?: string | undefined }[],
  policies: readonly unknown[],
  statusPages: readonly unknown[],
): Setup {
  return {
    hasChannel: channels.length > 0,
    hasStatusPage: statusPages.length > 0,
    isNotified: policies.length > 0 || channels.some(({ confirmation }) => confirmation !== 'pending'),
  };
}

export const isComplete = ({ hasChannel, hasStatusPage, isNotified }: Setup): boolean =>
  hasChannel && hasStatusPage && isNotified;
