interface DnsFailureOptions extends ErrorOptions {
  names?: string[];
}

/** A question that was not answered with records. `code` is as Node's own resolver has it. */
export class DnsFailure extends Error {
  override readonly name = 'DnsFailure';
  /** Every name that the response speaks of beside the one that was asked for. */
  readonly names: string[];

  constructor(
    readonly code: string,
    { names = [], ...options }: DnsFailureOptions = {},
  ) {
    super(`The question was not answered (${code})`, options);
    this.names = names;
  }
}

const ANSWERS = new Set(['ENOTFOUND', 'ENODATA']);
const REFUSALS = ['ESERVFAIL', 'EREFUSED', 'ENOTIMP', 'EFORMERR', 'EBADRESP'];
/** What tells the most about a name comes first. */
const BY_WEIGHT = [...REFUSALS, 'ETIMEOUT', 'ECONNREFUSED'];

/** The code of an error, where it has one. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Whether a server said that there is no such name (NXDOMAIN) or no such record. */
export const isAnswer = (error: unknown) => ANSWERS.has(codeOf(error));

/** Whether another server may do better: this one could not or would not answer, or cannot be reached. */
export const isServersFailure = (error: unknown) => BY_WEIGHT.includes(codeOf(error));

/**
 * What several failures come to: a failure before an answer, for what was not answered might have been found; and "no such
 * record" before "no such name".
 */
export function failureOf(errors: unknown[]): unknown {
  const weight = (error: unknown) => {
    const at = BY_WEIGHT.indexOf(codeOf(error));
    if (at >= 0) return at;
    return isAnswer(error) ? (codeOf(error) === 'ENODATA' ? 100 : 101) : -1;
  };
  return errors.toSorted((one, other) => weight(one) - weight(other))[0];
}
