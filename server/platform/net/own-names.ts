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
 * Rejects a name that only this instance's network resolves, unless private targets are allowed: see docs/decisions/0016-internal-names.md.
 * @throws InternalNameError
 */
export function assertPublicName(name: string): void {
  if (!env.allowPrivateTargets && isInternal(name)) throw new InternalNameError(true);
}

/**
 * Rejects the answer of a name server that contains an internal name or address, unless private targets are allowed. An alias of a public name may be
 * internal.
 * @throws InternalNameError
 */
export function assertPublicAnswer(answer: DnsRecords | DnsFailure): void {
  if (env.allowPrivateTargets) return;
  const records = answer instanceof DnsFailure ? [] : answer.records;
  if (answer.names.some(isInternal) || records.some(holdsInternal)) throw new InternalNameError(false);
}
