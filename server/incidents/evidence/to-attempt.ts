import { toCheckRow } from '@/server/history/monitor/to-check';
import { harmlessHeader, secretHeader } from '@/server/monitor-types/config/headers';
import { savesResponseBody } from '@/server/monitor-types/config/saves-response-body';
import { rulesApart } from '@/server/monitor-types/evaluation/evaluate-apart';
import type { CheckResult, SeenCertificate, Timings } from '@/server/monitor-types/probing/observation';
import type { Exchange, SeenStep, Trace } from '@/server/monitor-types/probing/trace';
import type { Rule } from '@/server/monitor-types/verdict';
import { maskApart } from '@/server/platform/masking/mask-apart';
import { plainLines, plainText } from '@/server/platform/plain-text';
import { MASK } from '@/server/platform/secrets';
import type { AttemptExchange, AttemptStep, CheckAttempt, LastGoodCheck } from '../schema';
import { type LastGood, lastGoodOf } from './last-good';
import { type CheckedMonitor, type KeptAttempt, mostOfBody, secretsOf, textsIn } from './secrets';

/** How much more of a body is searched for secrets than is stored, so that no secret is cut in half. */
const MARGIN = 16 * 1024;
const MOST_HEADERS = 100;
const MOST_HEADER_CHARACTERS = 1_000;
/** The maximum characters of header names and values in all exchanges of a check. The last exchange has priority. */
const MOST_CHARACTERS_OF_HEADERS = 32 * 1024;
const MOST_ADDRESSES = 20;
/** More than redirects and steps of a check make. */
const MOST_EXCHANGES = 100;
const MOST_RULES = 500;
const MOST_ERROR_CHARACTERS = 500;
/** A body with a larger share of invalid characters is not text. */
const MOST_NOISE = 0.1;

type Fields = { name: string; value: string }[];

/** Challenges (RFC 9110 §11.6.1) name a scheme and a realm. */
const challenge = /^(www|proxy)-authenticate$/;
const address = /^(location|content-location|refresh|link)$/;

/** Splits a list that contains names and values in turn into pairs, with lower-case names. */
function pairsOf(headers: string[]): Fields {
  return headers.flatMap((name, index) =>
    index % 2 === 0 ? [{ name: name.toLowerCase(), value: headers[index + 1] ?? '' }] : [],
  );
}

/** Limits headers to `MOST_HEADERS`. Masks the values of secret headers, and the queries of URLs in headers such as Location. */
function shownFields(fields: Fields, isSecret: (name: string) => boolean): Fields {
  return fields.slice(0, MOST_HEADERS).map(({ name, value }) => ({
    name: plainText(name, MOST_HEADER_CHARACTERS),
    value: isSecret(name) ? MASK : address.test(name) ? value.replace(/[?#][^\s>"]*/g, `?${MASK}`) : value,
  }));
}

const isSecretAnswer = (name: string) => secretHeader.test(name) && !challenge.test(name);

/** Decodes a body as text. The probe has already removed its content coding. */
function decode(bytes: Uint8Array, fields: Fields): string {
  const type = fields.find(({ name }) => name === 'content-type')?.value ?? '';
  const label = /charset="?([^";\s]+)/i.exec(type)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** Returns whether a decoded body is text. In an image or a wrong encoding, secrets would not be found, so the body is not stored. */
function isText(text: string): boolean {
  if (text.includes('\0')) return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is counted
  const noise = text.match(/[\ufffd\u0001-\u0008\u000e-\u001a\u001c-\u001f]/g)?.length ?? 0;
  return noise <= text.length * MOST_NOISE;
}

/** @param most the maximum stored length; null if bodies are not stored */
function bodyOf({ body, isTruncated, response, bytes: all }: Exchange, most: number | null): AttemptExchange['body'] {
  if (body === null) return null;
  const bytes = Array.isArray(body) ? Buffer.from(body.join('\n')) : body;
  const length = all ?? bytes.length;
  const size = { bytes: length, isTruncated: isTruncated || length > (most ?? mostOfBody(1)) };
  if (most === null) return { text: null, notStored: 'setting', ...size };
  const decoded = decode(bytes.subarray(0, most + MARGIN), pairsOf(response?.headers ?? []));
  if (!isText(decoded)) return { text: null, notStored: 'not_text', ...size };
  // Removes control characters before secrets are masked: a secret that they split would otherwise be whole again afterwards.
  return { text: plainLines(decoded, decoded.length), notStored: null, ...size };
}

const head = (text: string) => plainText(text, MOST_HEADER_CHARACTERS);

function exchangeOf(exchange: Exchange, most: number | null): AttemptExchange {
  const { line, headers, response, step } = exchange;
  const shown = (fields: Fields) => fields.map(({ name, value }) => ({ name, value: head(value) }));
  const request = line !== null && {
    line: head(line),
    headers: shown(shownFields(pairsOf(Object.entries(headers).flat()), (name) => !harmlessHeader.test(name))),
  };
  return {
    request: request || null,
    response: response && {
      line: head(response.line),
      headers: shown(shownFields(pairsOf(response.headers), isSecretAnswer)),
    },
    body: bodyOf(exchange, most),
    ...(step !== undefined && { step }),
  };
}

/** Removes headers above the limit for all exchanges together, from the first exchange on. */
function limitHeaders(exchanges: AttemptExchange[]): void {
  let left = MOST_CHARACTERS_OF_HEADERS;
  for (const { request, response } of exchanges.toReversed()) {
    for (const message of [response, request]) {
      if (!message) continue;
      message.headers = message.headers.filter(({ name, value }) => {
        left -= name.length + value.length;
        return left >= 0;
      });
    }
  }
}

function exchangesOf(exchanges: Exchange[], isStored: boolean): AttemptExchange[] {
  const most = isStored ? mostOfBody(exchanges.filter(({ body }) => body !== null).length) : null;
  const kept = exchanges.map((each) => exchangeOf(each, most));
  limitHeaders(kept);
  return kept;
}

const limitFields = (fields: Fields): Fields =>
  fields.slice(0, MOST_HEADERS).map(({ name, value }) => ({ name: head(name).toLowerCase(), value: head(value) }));

const limitMessage = (message: AttemptExchange['response']) =>
  message && { line: head(message.line), headers: limitFields(message.headers) };

/** Limits and cleans the exchanges and rules of a check that another machine described, as those of this process's checks are. */
export function limitDetails({
  exchanges,
  rules,
}: Pick<CheckAttempt, 'exchanges' | 'rules'>): Pick<CheckAttempt, 'exchanges' | 'rules'> {
  const some = exchanges.slice(0, MOST_EXCHANGES);
  const most = mostOfBody(some.filter(({ body }) => body !== null).length);
  const kept = some.map(({ request, response, body, ...step }) => ({
    request: limitMessage(request),
    response: limitMessage(response),
    body: body && { ...body, text: body.text === null ? null : plainLines(body.text.slice(0, most), most) },
    ...step,
  }));
  limitHeaders(kept);
  const quoted = (text: string) => plainText(text, MOST_ERROR_CHARACTERS);
  const shown = rules.slice(0, MOST_RULES).map(({ rule, value, ...rest }) => ({
    rule: quoted(rule),
    value: value === null ? null : quoted(value),
    ...rest,
  }));
  return { exchanges: kept, rules: shown };
}

/** Limits and cleans the last good check as another machine described it. */
export function limitLastGood(last: LastGoodCheck): LastGoodCheck {
  const { addresses, connections, certificate, headers } = last;
  return {
    ...last,
    addresses: addresses.slice(0, MOST_ADDRESSES).map(head),
    connections: connections.slice(0, MOST_ADDRESSES).map(({ address: each, port, error }) => {
      return { address: head(each), port, error: error === null ? null : head(error) };
    }),
    certificate: certificate && {
      ...certificate,
      subject: head(certificate.subject),
      issuer: head(certificate.issuer),
      fingerprint: certificate.fingerprint && head(certificate.fingerprint),
    },
    headers: headers && limitFields(headers),
  };
}

function certificateOf(certificate: SeenCertificate | null, fingerprint: string | null): CheckAttempt['certificate'] {
  if (certificate === null || certificate === 'unreadable') return null;
  const { subject, issuer, validFrom, validTo } = certificate;
  return { subject, issuer, validFrom: validFrom.toISOString(), validTo: validTo.toISOString(), fingerprint };
}

const addressesOf = (addresses: Trace['addresses']) =>
  addresses.slice(0, MOST_ADDRESSES).map(({ address: each }) => each);

const rounded = (ms: number | null) => (ms === null ? null : Math.round(ms));

const roundedOf = ({ dnsMs, connectMs, tlsMs, firstByteMs, downloadMs }: Timings): Timings => ({
  dnsMs: rounded(dnsMs),
  connectMs: rounded(connectMs),
  tlsMs: rounded(tlsMs),
  firstByteMs: rounded(firstByteMs),
  downloadMs: rounded(downloadMs),
});

const stepsOf = (steps: SeenStep[]): AttemptStep[] =>
  steps.map(({ name, statusCode, latencyMs, timings, isMet }) => {
    return { name, statusCode, latencyMs: rounded(latencyMs), timings: roundedOf(timings), isMet };
  });

function toLastGood(last: LastGood): LastGoodCheck {
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
    headers: headers && shownFields(pairsOf(headers), isSecretAnswer),
  };
}

/**
 * Returns the part of a check's evidence that cannot contain a secret: no exchanges or rules, and no last good check. The cause is already masked.
 */
export function toBareAttempt(finding: CheckResult, region: string): KeptAttempt {
  const { observation, verdict } = finding;
  const trace = observation?.trace;
  const { at, latencyMs, statusCode, dnsMs, connectMs, tlsMs, firstByteMs, downloadMs } = toCheckRow(finding, region);
  const attempt: CheckAttempt = {
    at: at.toISOString(),
    region,
    status: verdict.status,
    error: verdict.error,
    latencyMs,
    statusCode,
    timings: { dnsMs, connectMs, tlsMs, firstByteMs, downloadMs },
    addresses: addressesOf(trace?.addresses ?? []),
    connections: trace?.connections.slice(0, MOST_ADDRESSES) ?? [],
    certificate: certificateOf(observation?.certificate ?? null, trace?.fingerprint ?? null),
    exchanges: [],
    rules: [],
    ...(trace?.steps && { steps: stepsOf(trace.steps) }),
  };
  return { attempt, lastGood: null };
}

/**
 * Builds the evidence of a check with limited texts. Secrets must be masked in them before it is stored.
 * @param isStored whether bodies are stored
 */
function describe(finding: CheckResult, rules: Rule[], lastGood: LastGood | null, region: string, isStored: boolean) {
  const { attempt } = toBareAttempt(finding, region);
  const quoted = (text: string) => plainText(text, MOST_ERROR_CHARACTERS);
  attempt.exchanges = exchangesOf(finding.observation?.trace.exchanges ?? [], isStored);
  attempt.rules = rules.map(({ rule, value, isMet, step }) => {
    const shown = { rule: quoted(rule), value: value === null ? null : quoted(value), isMet };
    return step === undefined ? shown : { ...shown, step };
  });
  return { attempt, lastGood: lastGood && toLastGood(lastGood) };
}

/**
 * Builds the evidence of a check: what it observed, every rule with its value, and the last good check unless it passed. Masks the monitor's secrets.
 * Must not be called in a transaction, because it may wait for a thread. Rejects if the signal aborts.
 */
export async function toAttempt(
  plan: CheckedMonitor,
  finding: CheckResult,
  region: string,
  signal: AbortSignal,
): Promise<KeptAttempt> {
  const { observation, at, verdict } = finding;
  const { target, monitor } = plan;
  const rules = target && observation ? await rulesApart({ target, observation, at }, monitor.teamId, signal) : [];
  const lastGood = verdict.status === 'up' ? null : lastGoodOf(plan);
  const described = describe(finding, rules, lastGood, region, target === null || savesResponseBody(target));
  const texts = textsIn(described);
  const clean = await maskApart(secretsOf(plan, observation), texts, { team: monitor.teamId, signal });
  for (const [index, { put }] of texts.entries()) put(clean[index] ?? null);
  return described;
}
