import type { Message } from '../message';

/** The result of one attempt to send a message. */
export type SendResult =
  | { ok: true; statusCode: number | null }
  | {
      ok: false;
      /** A retry cannot succeed. */
      permanent: boolean;
      /** The cause is this instance, such as a wrong APP_SECRET: retried without a limit until that is fixed. */
      isOurs?: boolean;
      statusCode: number | null;
      /** For the people who manage the channel: plain words without a full stop. */
      error: string;
      /** How long the receiver asked us to wait (RFC 9110 §10.2.3). */
      retryAfterSeconds?: number;
    };

export interface SendOptions {
  /** Aborts the attempt. The message may have arrived all the same. */
  signal: AbortSignal;
  /** The team that the message belongs to. */
  teamId: string;
}

/** How one kind of channel sends. Failures of the receiver or the network are a `SendResult` and never thrown. */
export interface Provider<Config> {
  /** The config with what the server generates where a new channel leaves it out. */
  complete?(config: Config): Config;
  send(message: Message, config: Config, options: SendOptions): Promise<SendResult>;
}
