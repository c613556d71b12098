/** How far a team has set up its alerts and its page for customers. */
export interface Setup {
  hasChannel: boolean;
  hasStatusPage: boolean;
  /** Whether an incident would notify somebody: by a channel whose address is confirmed, or by an escalation policy. */
  isNotified: boolean;
}

/** The maximum number of channels that are read to find a confirmed one. */
export const CHANNELS_READ = 100;

type Channels = readonly { confirmation?: string | undefined }[];

/** Whether a channel notifies somebody. If so, the escalation policies need not be read. */
export const anyNotifies = (channels: Channels): boolean =>
  channels.some(({ confirmation }) => confirmation !== 'pending');

export function toSetup(channels: Channels, policies: readonly unknown[], statusPages: readonly unknown[]): Setup {
  return {
    hasChannel: channels.length > 0,
    hasStatusPage: statusPages.length > 0,
    isNotified: policies.length > 0 || anyNotifies(channels),
  };
}

export const isComplete = ({ hasStatusPage, isNotified }: Setup): boolean => hasStatusPage && isNotified;
