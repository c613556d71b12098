import type { Answer, OptAnswer } from 'dns-packet';
import { DnsFailure } from './dns-failure';
import { type Message, namesIn, type Question } from './exchange';

/** A record with its data. */
export type DnsRecord = Exclude<Answer, OptAnswer>;

export interface DnsRecords {
  records: DnsRecord[];
  /** Every name in the answer. */
  names: string[];
  /** How long the records, and the aliases that lead to them, are valid. */
  ttlSeconds: number;
}

const MOST_ALIASES = 16;
/** Returns the TTL of a record in seconds. A negative value counts as 0 (RFC 2181 §8). */
const ttlOf = ({ ttl = 0 }: DnsRecord) => (ttl > 0x7fffffff ? 0 : ttl);

/**
 * Returns the records that answer a question, following aliases (CNAME). Ignores other records in the answer.
 * @throws DnsFailure ENODATA if there are none
 */
export function recordsOf(message: Message, { name, type }: Question): DnsRecords {
  const answers = (message.answers ?? []).filter((answer): answer is DnsRecord => answer.type !== 'OPT');
  const ownedBy = (owner: string, wanted: string) =>
    answers.filter((answer) => answer.type === wanted && answer.name.toLowerCase() === owner);
  let owner = name.toLowerCase();
  const path: DnsRecord[] = [];
  for (let aliases = 0; aliases <= MOST_ALIASES; aliases += 1) {
    const records = ownedBy(owner, type);
    if (records.length > 0) {
      const names = [
        name,
        ...answers.flatMap((each) => (each.type === 'CNAME' ? [each.name, each.data] : [each.name])),
      ];
      return { records, names, ttlSeconds: Math.min(...[...path, ...records].map(ttlOf)) };
    }
    const [alias] = ownedBy(owner, 'CNAME');
    if (alias?.type !== 'CNAME') break;
    path.push(alias);
    owner = alias.data.toLowerCase();
  }
  throw new DnsFailure('ENODATA', { names: namesIn(message) });
}
