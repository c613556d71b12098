import { OwnError } from '../own-error';
/** A message was not accepted. `permanent` means that a retry would be rejected again. */
export class MailError extends OwnError {
  static override readonly kind: string = 'MailError';

  constructor(
    message: string,
    readonly permanent: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const IN_WORDS: Record<string, string> = {
  EAUTH: 'The mail server rejected the user name or password',
  ENOAUTH: 'The mail server requires a user name and password',
  ETLS: 'The mail server does not offer a trusted encrypted connection',
  EDNS: "The mail server's address did not resolve",
  ETIMEDOUT: 'The mail server did not respond in time',
  ECONNECTION: 'The mail server cannot be reached',
  ESOCKET: 'The mail server cannot be reached',
};

/**
 * Classifies an error of the mail library. An error about the message or its recipient is permanent if the server replied 5xx (RFC 5321 §4.2.1), or
 * if the library itself rejected it without asking the server. Errors of the connection or the authentication are never permanent, because the
 * administrator may fix them before the next attempt.
 */
export function toMailError(error: unknown): MailError {
  const {
    code = '',
    responseCode = 0,
    response = '',
  } = error as { code?: string; responseCode?: number; response?: string };
  const aboutMessage = code === 'EENVELOPE' || code === 'EMESSAGE';
  const permanent = aboutMessage && (responseCode === 0 || responseCode >= 500);
  if (aboutMessage) {
    const reason = response.split('\n')[0]?.trim() || (error instanceof Error ? error.message : '');
    return new MailError(`The mail server rejected the message: ${reason}`, permanent, { cause: error });
  }
  return new MailError(IN_WORDS[code] ?? 'The mail server rejected the message', permanent, { cause: error });
}
