import type { Message } from '../messages/message';
import type { Exchange, RawExchange } from './exchange';
import type { PreparedRequest } from './prepared-request';

/** The result of one attempt to send a message. */
export type SendResult = SendOutcome & {
  /** The last request and its answer, without secrets, if the caller asked for it. */
  exchange?: Exchange;
};

type SendOutcome =
  | {
      ok: true;
      statusCode: number | null;
      /** The provider's ID of the message, if `update` can edit it later. */
      ref?: string;
    }
  | {
      ok: false;
      /** Whether a retry cannot succeed. */
      permanent: boolean;
      /** Whether the cause is this instance, such as a wrong APP_SECRET: retried without limit until it is fixed. */
      isOurs?: boolean;
      statusCode: number | null;
      /** For the members who manage the channel: plain text without a full stop. */
      error: string;
      /** The delay that the receiver asked for (RFC 9110 §10.2.3). */
      retryAfterSeconds?: number;
    };

/** The reader of a message, for channels with an address. */
export interface Reader {
  teamName: string;
  channelId: string;
  channelName: string;
  /** Whether the channel is a contact method of a member. */
  isPersonal: boolean;
  /** The IANA zone of the member with the address; null for UTC. */
  timeZone: string | null;
}

export interface SendOptions {
  /** Aborts the attempt. The message may have arrived anyway. */
  signal: AbortSignal;
  /** The team that the message belongs to. */
  teamId: string;
  /** Missing in a test of settings that are not stored. */
  reader?: Reader;
  /** For a preview: receives the request instead of sending it. */
  prepared?: (request: PreparedRequest) => void;
  /** A previous signing secret that is still valid: messages are signed with both. */
  alsoSignedWith?: string;
  /** Whether the result contains the last request and its answer. */
  withExchange?: boolean;
  /** Called by `post` with each request and its answer. */
  onExchange?: (exchange: RawExchange) => void;
}

/** The provider of a channel kind. Returns failures of the receiver or the network as a `SendResult`; never throws for them. */
export interface Provider<Config> {
  /** Adds server-generated values that the config of a new channel omits. */
  complete?(config: Config): Config;
  send(message: Message, config: Config, options: SendOptions): Promise<SendResult>;
  /** Replaces the text of a sent message. `ref` is what `send` returned. */
  update?(ref: string, message: Message, config: Config, options: SendOptions): Promise<SendResult>;
}
