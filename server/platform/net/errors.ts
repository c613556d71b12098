import { OwnError } from '../own-error';

/**
 * Returns the error for a connection that the peer closed, with Node's code. Call it only for a connection that fails, because its stack trace takes
 * 15 µs.
 */
export const connectionClosed = (): Error => Object.assign(new Error('closed'), { code: 'ECONNRESET' });

/** The target is an address that this instance must not connect to. */
export class BlockedTargetError extends OwnError {
  static override readonly kind: string = 'BlockedTargetError';
  readonly code = 'EBLOCKED';

  constructor(readonly host: string) {
    super('The address is private or reserved. This instance does not connect to such addresses');
  }
}

/** A query, or its answer, is about the internal network of this instance, which users must not see. */
export class InternalNameError extends OwnError {
  static override readonly kind: string = 'InternalNameError';
  readonly code = 'EBLOCKED';

  /** @param asked whether the queried name itself is internal, rather than the content of the answer */
  constructor(asked: boolean) {
    super(
      asked
        ? 'This is an internal host name, which this instance does not resolve with its own name servers. Set a resolver to use another one'
        : 'The response contains private addresses, which this instance does not show from its own name servers. Set a resolver to use another one',
    );
  }
}

/** A host or a port is invalid. */
export class InvalidTargetError extends OwnError {
  static override readonly kind: string = 'InvalidTargetError';
  readonly code = 'EINVAL';
}

/** A name could not be resolved. The message is plain text; `code` is the resolver's. */
export class DnsError extends OwnError {
  static override readonly kind: string = 'DnsError';

  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The server exceeded the limits of an exchange. The message is plain text. */
export class FloodError extends OwnError {
  static override readonly kind: string = 'FloodError';
  readonly code = 'EFLOOD';
}

/** The name servers of this instance are down, which says nothing about the name. */
export class NameServersError extends DnsError {
  static override readonly kind: string = 'NameServersError';
  constructor(options?: ErrorOptions) {
    super(
      'ENAMESERVERS',
      'The name servers of Upwatch do not respond, so the status of the target is unknown',
      options,
    );
  }
}

/** The exchange timed out. */
export class NetworkTimeoutError extends OwnError {
  static override readonly kind: string = 'NetworkTimeoutError';
  readonly code = 'ETIMEDOUT';

  /** @param begun whether a response had started */
  constructor(timeoutMs: number, begun = false) {
    const time = `${Math.round(timeoutMs / 100) / 10} s`;
    super(begun ? `The response did not end within ${time}` : `No response within ${time}`);
  }
}
