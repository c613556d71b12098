import { type Converted, toTimeout } from '../../convert/conversion';
import { splitUrl, toHeaders, toOauth2 } from '../../convert/http';
import { type Row, toRow, toRows } from '../../convert/rows';
import { cut, NotCarriedOver } from '../../draft';
import { assertKnown, isOn, literalOf, textOf, textsOf, trustOf } from './settings';

const KNOWN = [
  'valid_status_codes',
  'valid_http_versions',
  'method',
  'headers',
  'body',
  'no_follow_redirects',
  'follow_redirects',
  'enable_http2',
  'fail_if_not_ssl',
  'fail_if_body_matches_regexp',
  'fail_if_body_not_matches_regexp',
  'fail_if_header_matches',
  'fail_if_header_not_matches',
  'tls_config',
  'basic_auth',
  'bearer_token',
  'authorization',
  'oauth2',
  'preferred_ip_protocol',
  'ip_protocol_fallback',
];

/** Converts a pattern that a body or header must not match to a rule. */
function absence(pattern: string, at: { source: 'body' } | { source: 'header'; property: string }): object {
  const text = literalOf(pattern);
  return text ? { ...at, operator: 'notContains', value: text } : { ...at, operator: 'notMatches', value: pattern };
}

/** Converts the rules for headers. If a header is missing, its rule fails, as with the exporter by default. */
function headerRules(http: Row): object[] {
  const absent = toRows(http.fail_if_header_matches).map((rule) => {
    const property = textOf(rule, 'header');
    const pattern = textOf(rule, 'regexp');
    const isAllowed = isOn(rule, 'allow_missing');
    if (isAllowed && ['', '.*', '.+'].includes(pattern)) return { source: 'header', property, operator: 'notExists' };
    if (isAllowed) throw new NotCarriedOver('A rule for a header that may be missing is not supported.');
    return absence(pattern, { source: 'header', property });
  });
  const present = toRows(http.fail_if_header_not_matches).map((rule) => {
    if (isOn(rule, 'allow_missing')) {
      throw new NotCarriedOver('A rule for a header that may be missing is not supported.');
    }
    return { source: 'header', property: textOf(rule, 'header'), operator: 'matches', value: textOf(rule, 'regexp') };
  });
  return [...absent, ...present];
}

function authOf(http: Row): object | undefined {
  const basic = toRow(http.basic_auth);
  assertKnown(basic, ['username', 'password']);
  if (textOf(basic, 'username') !== '') {
    return { kind: 'basic', username: textOf(basic, 'username'), password: textOf(basic, 'password') };
  }
  const authorization = toRow(http.authorization);
  assertKnown(authorization, ['type', 'credentials']);
  const type = textOf(authorization, 'type') || 'Bearer';
  const token = textOf(http, 'bearer_token') || textOf(authorization, 'credentials');
  if (token !== '' && type.toLowerCase() !== 'bearer') {
    throw new NotCarriedOver(`Authorization of the type ${cut(type, 40)} is not supported.`);
  }
  if (token !== '') return { kind: 'bearer', token };
  const oauth2 = toRow(http.oauth2);
  assertKnown(oauth2, ['client_id', 'client_secret', 'token_url', 'scopes']);
  if (textOf(oauth2, 'token_url') === '') return undefined;
  return toOauth2({
    tokenUrl: textOf(oauth2, 'token_url'),
    clientId: textOf(oauth2, 'client_id'),
    clientSecret: textOf(oauth2, 'client_secret'),
    scope: textsOf(oauth2, 'scopes').join(' '),
  });
}

/** Returns the IP version; `auto` if the exporter may fall back to the other one. */
function ipFamilyOf(http: Row): string {
  if (isOn(http, 'ip_protocol_fallback', true)) return 'auto';
  return textOf(http, 'preferred_ip_protocol') === 'ip4' ? '4' : '6';
}

/** Converts an HTTP probe of a target. */
export function toHttp(http: Row, target: string, timeoutMs: number): Converted {
  assertKnown(http, KNOWN);
  const tls = toRow(http.tls_config);
  const clientCertificate = textOf(tls, 'cert');
  const versions = textsOf(http, 'valid_http_versions');
  if (versions.length > 0 && !versions.includes('HTTP/1.1')) {
    throw new NotCarriedOver('A rule for the HTTP version is not supported.');
  }
  const { url, auth: ofUrl } = splitUrl(/^https?:\/\//i.test(target) ? target : `http://${target}`);
  if (isOn(http, 'fail_if_not_ssl') && !url.toLowerCase().startsWith('https:')) {
    throw new NotCarriedOver('It must be served over TLS, but its URL starts with http://.');
  }
  const statuses = textsOf(http, 'valid_status_codes');
  const auth = authOf(http) ?? ofUrl;
  const body = textOf(http, 'body');
  const notes: string[] = [];
  if (versions.length > 0) notes.push('Its HTTP version is not checked.');
  const config = {
    url,
    method: textOf(http, 'method').toUpperCase() || 'GET',
    headers: toHeaders(toRow(http.headers)),
    ...(body && { body }),
    ...(auth && { auth }),
    ...(statuses.length > 0 && { expectedStatus: statuses }),
    followRedirects: isOn(http, 'follow_redirects', true) && !isOn(http, 'no_follow_redirects'),
    ...trustOf(tls),
    ...(clientCertificate && { clientCertificate, clientKey: textOf(tls, 'key') }),
    ipFamily: ipFamilyOf(http),
    certificateWarnDays: 0,
    timeoutMs: toTimeout(timeoutMs, notes),
    assertions: [
      ...textsOf(http, 'fail_if_body_matches_regexp').map((pattern) => absence(pattern, { source: 'body' })),
      ...textsOf(http, 'fail_if_body_not_matches_regexp').map((value) => ({
        source: 'body',
        operator: 'matches',
        value,
      })),
      ...headerRules(http),
    ],
  };
  return { type: 'http', config, notes };
}
