import type { Message } from '../message';
import type { Exchange, RawExchange } from './exchange';
import type { PreparedRequest } from './prepared-request';

/** The result of one attempt to send a message. */
export type SendResult = SendOutcome & {
  /** The last request and its answer, without secrets, where the caller asked for it. */
  exchange?: Exchange;
};

type SendOutcome =
  | {
      ok: true;
      statusCode: number | null;
      /** The provider's ID of the message, where `update` can change it later. */
      ref?: string;
    }
  | {
      ok: false;
      /** A retry cannot succeed. */
      permanent: boolean;
      /** The cause is this instance, such as a wrong APP_SECRET: retried indefinitely until it is fixed. */
      isOurs?: boolean;
      statusCode: number | null;
      /** For the members who manage the channel: plain text without a full stop. */
      error: string;
      /** The delay that the receiver asked for (RFC 9110 §10.2.3). */
      retryAfterSeconds?: number;
    };

export interface SendOptions {
  /** Aborts the attempt. The message may have arrived. */
  signal: AbortSignal;
  /** The team that the message belongs to. */
  teamId: string;
  /** For a preview: takes the request, which is not sent then. */
  prepared?: (request: PreparedRequest) => void;
  /** A former signing secret that is still valid: messages are signed with both. */
  alsoSignedWith?: string;
  /** Whether the result contains the last request and its answer. */
  withExchange?: boolean;
  /** Called by `post` with each request and its answer. */
  onExchange?: (exchange: RawExchange) => void;
}

/** The provider of a channel kind. Failures of the receiver or the network are a `SendResult` and never thrown. */
export interface Provider<Config> {
  /** Adds server-generated values that the config of a new channel omits. */
  complete?(config: Config): Config;
  send(message: Message, config: Config, options: SendOptions): Promise<SendResult>;
  /** Replaces the text of a message that was sent. `ref` is what `send` returned. */
  update?(ref: string, message: Message, config: Config, options: SendOptions): Promise<SendResult>;
}
