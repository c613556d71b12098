import { env } from '../env';
import { isPublicAddress } from './address';
import { DnsFailure } from './dns/dns-failure';
import { isInternalName, isUnder } from './dns/internal-name';
import { names } from './dns/names';
import type { DnsRecord, DnsRecords } from './dns/records';
import { InternalNameError } from './errors';

const isInternal = (name: string) => isInternalName(name) || isUnder(name, names.search);

function holdsInternal(record: DnsRecord): boolean {
  switch (record.type) {
    case 'A':
    case 'AAAA':
      return !isPublicAddress(record.data);
    case 'CNAME':
    case 'NS':
    case 'PTR':
      return isInternal(record.data);
    case 'MX':
      return isInternal(record.data.exchange);
    case 'SRV':
      return isInternal(record.data.target);
    case 'SOA':
      return isInternal(record.data.mname);
    default:
      return false;
  }
}

/**
 * Throws `InternalNameError` for a name that only this instance's network resolves, unless private targets are allowed: see
 * docs/decisions/0016-internal-names.md.
 */
export function assertPublicName(name: string): void {
  if (!env.allowPrivateTargets && isInternal(name)) throw new InternalNameError(true);
}

/** Like `assertPublicName`, for the answer of a name server: an alias of a public name may be internal. */
export function assertPublicAnswer(answer: DnsRecords | DnsFailure): void {
  if (env.allowPrivateTargets) return;
  const records = answer instanceof DnsFailure ? [] : answer.records;
  if (answer.names.some(isInternal) || records.some(holdsInternal)) throw new InternalNameError(false);
}
