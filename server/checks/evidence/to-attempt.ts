import type { CheckAttempt, LastGoodCheck } from '@/server/incidents/schema';
import { plainSecrets } from '@/server/monitors/config/config-secrets';
import { harmlessHeader, secretHeader } from '@/server/monitors/config/headers';
import type { SeenCertificate, Timings } from '@/server/monitors/probing/observation';
import type { Exchange, Trace } from '@/server/monitors/probing/trace';
import { Masker } from '@/server/platform/masking/masker';
import type { Secret } from '@/server/platform/masking/parts';
import { plainLines, plainText } from '@/server/platform/plain-text';
import { MASK } from '@/server/platform/secrets';
import { toCheckRow } from '../record/check-row';
import type { Finding } from '../run/run';
import type { Plan } from '../schedule/plan';
import type { LastGood } from './last-good';

/** How much of a body is kept, and how much more is searched for a secret that the cut would halve. */
const MOST_BODY = 16 * 1024;
const MARGIN = 16 * 1024;
const MOST_HEADERS = 100;
const MOST_HEADER_CHARACTERS = 1_000;
const MOST_ADDRESSES = 20;
const MOST_ERROR_CHARACTERS = 500;
/** A body with a larger share of what is no character is not text. */
const MOST_NOISE = 0.1;

const NOT_MASKED =
  '(not stored: secrets could not be masked in it, because it or they are too large or encoded too often)';

/** What is kept of a check that a verdict may count. */
export interface KeptAttempt {
  attempt: CheckAttempt;
  lastGood: LastGoodCheck | null;
}

type Fields = { name: string; value: string }[];

/** Challenges (RFC 9110 §11.6.1) name a scheme and a realm. */
const challenge = /^(www|proxy)-authenticate$/;
const address = /^(location|content-location|refresh|link)$/;

/** Names and values in turn, with the names in lower case. */
function pairsOf(headers: string[]): Fields {
  return headers.flatMap((name, index) =>
    index % 2 === 0 ? [{ name: name.toLowerCase(), value: headers[index + 1] ?? '' }] : [],
  );
}

/** Headers as shown: queries of addresses, and whatever their name calls a secret, are masked. */
function shownFields(fields: Fields, isSecret: (name: string) => boolean): Fields {
  return fields.slice(0, MOST_HEADERS).map(({ name, value }) => ({
    name: plainText(name, MOST_HEADER_CHARACTERS),
    value: isSecret(name) ? MASK : address.test(name) ? value.replace(/[?#][^\s>"]*/g, `?${MASK}`) : value,
  }));
}

const isSecretAnswer = (name: string) => secretHeader.test(name) && !challenge.test(name);

function decode(bytes: Uint8Array, fields: Fields): string | null {
  const fieldOf = (wanted: string) => fields.find(({ name }) => name === wanted)?.value ?? '';
  if (!/^(identity)?$/i.test(fieldOf('content-encoding').trim())) return null;
  const label = /charset="?([^";\s]+)/i.exec(fieldOf('content-type'))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** Whether a text is one: in another encoding, or in an image, a secret would not be found. */
function isText(text: string): boolean {
  if (text.includes('\0')) return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is counted
  const noise = text.match(/[\ufffd\u0001-\u0008\u000e-\u001a\u001c-\u001f]/g)?.length ?? 0;
  return noise <= text.length * MOST_NOISE;
}

/** Control characters are removed first: a secret that they split would be whole again afterwards. */
function maskBody(text: string, isCut: boolean, masker: Masker): string {
  const clean = masker.mask(plainLines(text, text.length), isCut);
  return clean === null ? NOT_MASKED : clean.slice(0, MOST_BODY).toWellFormed();
}

function bodyOf({ body, isTruncated, response }: Exchange, masker: Masker) {
  if (body === null) return null;
  const bytes = Array.isArray(body) ? Buffer.from(body.join('\n')) : body;
  const start = bytes.subarray(0, MOST_BODY + MARGIN);
  const decoded = decode(start, pairsOf(response?.headers ?? []));
  const isWhole = start.length === bytes.length && !isTruncated;
  const text = decoded !== null && isText(decoded) ? maskBody(decoded, !isWhole, masker) : null;
  return {
    text,
    bytes: bytes.length,
    isTruncated: isTruncated || bytes.length > MOST_BODY,
  };
}

function exchangeOf(exchange: Exchange, masker: Masker): CheckAttempt['exchanges'][number] {
  const { line, headers, response } = exchange;
  const shown = (fields: Fields) =>
    fields.map(({ name, value }) => ({ name, value: masker.maskAll(plainText(value, MOST_HEADER_CHARACTERS)) }));
  const head = (text: string) => masker.maskAll(plainText(text, MOST_HEADER_CHARACTERS));
  return {
    request:
      line === null
        ? null
        : {
            line: head(line),
            headers: shown(shownFields(pairsOf(Object.entries(headers).flat()), (name) => !harmlessHeader.test(name))),
          },
    response: response && {
      line: head(response.line),
      headers: shown(shownFields(pairsOf(response.headers), isSecretAnswer)),
    },
    body: bodyOf(exchange, masker),
  };
}

function certificateOf(certificate: SeenCertificate | null, fingerprint: string | null): CheckAttempt['certificate'] {
  if (certificate === null || certificate === 'unreadable') return null;
  const { subject, issuer, validFrom, validTo } = certificate;
  return { subject, issuer, validFrom: validFrom.toISOString(), validTo: validTo.toISOString(), fingerprint };
}

/** Headers that were sent may hold what no config does: an access token, for example. */
function sentSecrets({ exchanges }: Trace): Secret[] {
  return exchanges.flatMap(({ headers }) =>
    Object.entries(headers).flatMap(([name, value]) =>
      harmlessHeader.test(name) ? [] : [{ value, kind: 'credential' as const }],
    ),
  );
}

const addressesOf = (addresses: Trace['addresses']) =>
  addresses.slice(0, MOST_ADDRESSES).map(({ address: each }) => each);

const rounded = (ms: number | null) => (ms === null ? null : Math.round(ms));

const roundedOf = ({ dnsMs, connectMs, tlsMs, firstByteMs, downloadMs }: Timings): Timings => ({
  ...{ dnsMs: rounded(dnsMs), connectMs: rounded(connectMs), tlsMs: rounded(tlsMs) },
  ...{ firstByteMs: rounded(firstByteMs), downloadMs: rounded(downloadMs) },
});

function toLastGood(last: LastGood, masker: Masker): LastGoodCheck {
  const { at, region, latencyMs, timings, statusCode, addresses, connections, certificate, fingerprint, headers } =
    last;
  return {
    at: at.toISOString(),
    region,
    latencyMs: Math.round(latencyMs),
    timings: roundedOf(timings),
    statusCode,
    addresses: addressesOf(addresses),
    connections: connections.slice(0, MOST_ADDRESSES),
    certificate: certificateOf(certificate, fingerprint),
    headers: headers && masker.maskAll(shownFields(pairsOf(headers), isSecretAnswer)),
  };
}

/** The evidence of a check: what it saw, without the secrets of its monitor, as text that can be stored and shown. */
export function toAttempt(plan: Plan, finding: Finding, region: string): KeptAttempt {
  const { observation, verdict, context } = finding;
  const trace = observation?.trace;
  const secrets = plan.target ? plainSecrets(plan.target) : [];
  const masker = new Masker([...secrets, ...(trace ? sentSecrets(trace) : [])]);
  const { at, latencyMs, statusCode, dnsMs, connectMs, tlsMs, firstByteMs, downloadMs } = toCheckRow(finding, region);
  const attempt: CheckAttempt = {
    at: at.toISOString(),
    region,
    status: verdict.status,
    error: verdict.error && masker.maskAll(verdict.error),
    latencyMs,
    timings: { dnsMs, connectMs, tlsMs, firstByteMs, downloadMs },
    statusCode,
    addresses: addressesOf(trace?.addresses ?? []),
    connections: trace?.connections.slice(0, MOST_ADDRESSES) ?? [],
    certificate: certificateOf(observation?.certificate ?? null, trace?.fingerprint ?? null),
    exchanges: trace?.exchanges.map((exchange) => exchangeOf(exchange, masker)) ?? [],
    rules: (context?.rules ?? []).map(({ rule, value, isMet }) => ({
      rule: masker.maskAll(plainText(rule, MOST_ERROR_CHARACTERS)),
      value: value === null ? null : masker.maskAll(plainText(value, MOST_ERROR_CHARACTERS)),
      isMet,
    })),
  };
  return { attempt, lastGood: context?.lastGood ? toLastGood(context.lastGood, masker) : null };
}
