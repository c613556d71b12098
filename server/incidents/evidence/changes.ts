import type { CheckAttempt, EvidenceChange, LastGoodCheck } from '../schema';

/** Headers that differ in every response. */
const volatile =
  /^(age|alt-svc|cf-ray|connection|content-length|date|etag|expires|keep-alive|last-modified|nel|report-to|server-timing|set-cookie|transfer-encoding|x-(amz|amzn|request|runtime|trace|correlation|timer|served-by|cache|github|vercel|nf)-?.*)$/;
/** A phase is reported as slower if it takes at least twice as long, and at least this much longer. */
const SLOWER_MS = 50;
const MOST_HEADERS = 20;

const phases = { dnsMs: 'DNS', connectMs: 'connect', tlsMs: 'TLS', firstByteMs: 'first byte', downloadMs: 'download' };

type Headers = NonNullable<LastGoodCheck['headers']>;

const lines = (values: string[]) => (values.length > 0 ? values.toSorted().join(', ') : null);
const ms = (value: number | null) => (value === null ? null : `${Math.round(value)} ms`);

function change(
  subject: EvidenceChange['subject'],
  before: string | null,
  after: string | null,
  name: string | null = null,
) {
  return before === after ? [] : [{ subject, name, before, after }];
}

/** Returns a latency change if `after` is slower by the limits of `SLOWER_MS`; empty otherwise, also if a value is unknown. */
function slower(name: string | null, before: number | null, after: number | null): EvidenceChange[] {
  if (before === null || after === null || after < 2 * before || after - before < SLOWER_MS) return [];
  return change('latency', ms(before), ms(after), name);
}

function latencyChanges(before: LastGoodCheck, after: CheckAttempt): EvidenceChange[] {
  const each = Object.entries(phases).flatMap(([phase, name]) => {
    const key = phase as keyof typeof phases;
    return slower(name, before.timings[key], after.timings[key]);
  });
  return [...slower(null, before.latencyMs, after.latencyMs), ...each];
}

function certificateText({ certificate }: Pick<CheckAttempt, 'certificate'>): string | null {
  if (!certificate) return null;
  const { subject, issuer, validTo, fingerprint } = certificate;
  return `${subject || 'no name'}, issued by ${issuer || 'an unnamed issuer'}, valid until ${validTo.slice(0, 10)}${fingerprint ? `, SHA-256 ${fingerprint.slice(0, 23)}…` : ''}`;
}

function valuesByName(headers: Headers): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { name, value } of headers) {
    const values = found.get(name);
    if (values) values.push(value);
    else found.set(name, [value]);
  }
  return found;
}

function headerChanges(before: Headers, after: Headers): EvidenceChange[] {
  const names = new Set([...before, ...after].map(({ name }) => name).filter((name) => !volatile.test(name)));
  const [was, is] = [valuesByName(before), valuesByName(after)];
  const changed = [...names].flatMap((name) =>
    change('header', lines(was.get(name) ?? []), lines(is.get(name) ?? []), name),
  );
  return changed.slice(0, MOST_HEADERS);
}

const opened = ({ connections }: Pick<CheckAttempt, 'connections'>) =>
  connections.flatMap(({ address, error }) => (error === null ? [address] : []));

function addressChanges(before: LastGoodCheck, after: CheckAttempt): EvidenceChange[] {
  const known = before.addresses.length > 0 && after.addresses.length > 0;
  const resolved = known ? change('addresses', lines(before.addresses), lines(after.addresses), 'resolved') : [];
  const [one, other] = [lines(opened(before)), lines(opened(after))];
  const connected = one !== null && other !== null ? change('addresses', one, other, 'connected') : [];
  return [...resolved, ...connected];
}

/**
 * Lists the differences between the last good check and a check that failed or was slow: addresses, certificate, status code, latency, headers.
 * Pure. If only one of the two checks has a value, that is not a difference, except for the status code and headers.
 */
export function changesSince(before: LastGoodCheck, after: CheckAttempt): EvidenceChange[] {
  const response = after.exchanges.at(-1)?.response ?? null;
  const [was, is] = [certificateText(before), certificateText(after)];
  const status = (code: number | null) => (code === null ? null : String(code));
  return [
    ...change('statusCode', status(before.statusCode), status(after.statusCode)),
    ...addressChanges(before, after),
    ...(was !== null && is !== null && before.certificate?.fingerprint !== null ? change('certificate', was, is) : []),
    ...latencyChanges(before, after),
    ...(before.headers && response ? headerChanges(before.headers, response.headers) : []),
  ];
}
