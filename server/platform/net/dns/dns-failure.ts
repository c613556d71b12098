import { OwnError } from '../../own-error';

interface DnsFailureOptions extends ErrorOptions {
  names?: string[];
}

/** A query without an answer. `code` is the same as in Node's own resolver. */
export class DnsFailure extends OwnError {
  static override readonly kind: string = 'DnsFailure';
  /** Every name in the response except the queried one. */
  readonly names: string[];

  constructor(
    readonly code: string,
    { names = [], ...options }: DnsFailureOptions = {},
  ) {
    super(`The DNS query failed (${code})`, options);
    this.names = names;
  }
}

const ANSWERS = new Set(['ENOTFOUND', 'ENODATA']);
const REFUSALS = ['ESERVFAIL', 'EREFUSED', 'ENOTIMP', 'EFORMERR', 'EBADRESP'];
/** The most specific first. */
const BY_WEIGHT = [...REFUSALS, 'ETIMEOUT', 'ECONNREFUSED'];

/** The code of an error, if it has one. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Whether a server answered that the name (NXDOMAIN) or the record does not exist. */
export const isAnswer = (error: unknown) => ANSWERS.has(codeOf(error));

/** Whether another server may succeed: this one could not or would not answer, or is unreachable. */
export const isServersFailure = (error: unknown) => BY_WEIGHT.includes(codeOf(error));

/** Combines several failures: a failure without an answer first, since the name might exist; and "no such record" before "no such name". */
export function failureOf(errors: unknown[]): unknown {
  const weight = (error: unknown) => {
    const at = BY_WEIGHT.indexOf(codeOf(error));
    if (at >= 0) return at;
    return isAnswer(error) ? (codeOf(error) === 'ENODATA' ? 100 : 101) : -1;
  };
  return errors.toSorted((one, other) => weight(one) - weight(other))[0];
}
