import type { Message } from '../message';

/** How an attempt to hand a message over ended. */
export type SendResult =
  | { ok: true; statusCode: number | null }
  | {
      ok: false;
      /** Trying again cannot help, whatever happens at the receiver. */
      permanent: boolean;
      /** The cause is this installation (a wrong APP_SECRET, for one): retried until it is mended, however long that takes. */
      isOurs?: boolean;
      statusCode: number | null;
      /** For the person who set the channel up, in plain words and without a closing full stop. */
      error: string;
      /** How long the receiver asked us to wait (RFC 9110 §10.2.3). */
      retryAfterSeconds?: number;
    };

export interface SendOptions {
  /** Ends the attempt; what was sent until then may have arrived. */
  signal: AbortSignal;
  /** The team whose message it is. */
  teamId: string;
}

/** One kind of channel. Never throws for anything the receiver or the network does: that is a `SendResult`. */
export interface Provider<Config> {
  /** The config with what the server generates where a new channel leaves it out. */
  complete?(config: Config): Config;
  send(message: Message, config: Config, options: SendOptions): Promise<SendResult>;
}
