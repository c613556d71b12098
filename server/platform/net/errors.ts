/** The target is an address that this instance does not connect to. */
export class BlockedTargetError extends Error {
  override readonly name = 'BlockedTargetError';
  readonly code = 'EBLOCKED';

  constructor(readonly host: string) {
    super('The address is private or reserved; this instance does not connect to such addresses');
  }
}

/** A host or a port is none. */
export class InvalidTargetError extends Error {
  override readonly name = 'InvalidTargetError';
  readonly code = 'EINVAL';
}

/** A name has no address. The message is in plain words; `code` is the resolver's. */
export class DnsError extends Error {
  override readonly name = 'DnsError';

  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The time for an exchange ran out. */
export class NetworkTimeoutError extends Error {
  override readonly name = 'NetworkTimeoutError';
  readonly code = 'ETIMEDOUT';

  /** `begun` says that an answer had begun to come in. */
  constructor(timeoutMs: number, begun = false) {
    const time = `${Math.round(timeoutMs / 100) / 10} s`;
    super(begun ? `The answer did not end within ${time}` : `No answer within ${time}`);
  }
}
