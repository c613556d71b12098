import { OwnError } from '../../own-error';

interface DnsFailureOptions extends ErrorOptions {
  names?: string[];
}

/** A DNS query failed, or has no records. `code` is the same as in Node's own resolver. */
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
/** The codes of failures without an answer, most specific first. */
const BY_WEIGHT = [...REFUSALS, 'ETIMEOUT', 'ECONNREFUSED'];

/** Returns the code of an error; empty if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Whether a server answered that the name (NXDOMAIN) or the record does not exist. */
export const isAnswer = (error: unknown) => ANSWERS.has(codeOf(error));

/** Whether another name server may succeed: this one could not answer, refused to, or is unreachable. */
export const isServersFailure = (error: unknown) => BY_WEIGHT.includes(codeOf(error));

/**
 * Returns the most telling of several failures: one without an answer first, because the name might exist; then "no such record" before "no such
 * name".
 */
export function failureOf(errors: unknown[]): unknown {
  const weight = (error: unknown) => {
    const at = BY_WEIGHT.indexOf(codeOf(error));
    if (at >= 0) return at;
    return isAnswer(error) ? (codeOf(error) === 'ENODATA' ? 100 : 101) : -1;
  };
  return errors.toSorted((one, other) => weight(one) - weight(other))[0];
}
