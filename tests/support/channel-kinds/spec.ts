import { z } from 'zod';
import type { ChannelConfig, ChannelType } from '@/server/notifications/schema';
import type { ReceivedRequest } from '@/tests/support/receivers';

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** How a provider reads texts: literally, or with markup that a name must not contain unescaped. */
export type Markup = 'plain' | 'discord' | 'html' | 'mattermost' | 'rocketchat' | 'webex' | 'zulip';

/** The requirements of a provider's documentation, and its responses. */
export interface KindSpec<Type extends ChannelType = ChannelType> {
  /** A config for a server at `url`, which is also the gateway in front of the fixed hosts of providers. */
  config(url: string): ChannelConfig<Type>;
  /** The values of the config that nothing may show. */
  secrets: string[];
  /** Method and path of the request for any event, after the host if that is fixed. */
  request: RegExp;
  headers: Record<string, RegExp>;
  read(request: ReceivedRequest): unknown;
  /** The documented fields with their limits. */
  body: z.ZodType;
  good: Answer;
  /** The texts in a body, as the provider reads them. */
  text(body: never): string;
  markup: Markup;
  /** An error in the provider's format. */
  failure(status: number, text: string): Answer;
  /** Statuses of that form which a retry does not change, and some that pass. */
  permanent: number[];
  passing: number[];
  /** Responses of that format in which the content decides, not the status. */
  judged?: { answer: Answer; permanent: boolean }[];
  throttled: { answer: Answer; seconds: number };
  /** The events of an incident at a service that manages alerts itself, as the request shows them. */
  actions?: { of(request: ReceivedRequest): unknown; opened: unknown; acknowledged: unknown; resolved: unknown };
  /** How the request shows each severity, at a service that has its own. */
  severities?: { of(request: ReceivedRequest): unknown; critical: string; warning: string; minor: string };
  /** Of an update of the message that `good` names. */
  update?: { ref: string; request: RegExp };
}

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

export const readJson = ({ body }: ReceivedRequest): unknown => JSON.parse(body);
export const readForm = ({ body }: ReceivedRequest): unknown => Object.fromEntries(new URLSearchParams(body));

export const JSON_TYPE = { 'content-type': /^application\/json/ };
export const FORM_TYPE = { 'content-type': /^application\/x-www-form-urlencoded$/ };

/** A text of at most `max` UTF-8 bytes. */
export const bytes = (max: number) => z.string().refine((text) => Buffer.byteLength(text) <= max);

/** A text message without an ellipsis of one character, which the alphabet of GSM 03.38 does not have. */
export const gsmEnd = (text: z.ZodString) => text.refine((it) => !it.includes('…'));

/** The time of a header that counts seconds since 1970. */
export const inSeconds = (seconds: number) => String(Math.floor(Date.now() / 1000) + seconds);
