'use client';

import { completeAddress } from '../../suggest-name';
import { parseDuration, writeDuration } from '../duration';
import { TextField } from '../fields';
import { figure, headerFields, headersInput, type InitialConfig, text } from '../figures';
import { HttpAdvanced } from '../http/advanced';
import { UrlField } from '../http/request-fields';
import { readRuleValue, writeRuleValue } from '../http/rule-value';
import { RulesEditor } from '../http/rules-editor';
import type { AuthKind, HttpFields, Rule } from '../monitor-fields';
import { saveResponseField, saveResponseInput } from '../save-response-field';
import type { TypeForm } from './type-form';

const noAuth = { username: '', password: '', token: '', tokenUrl: '', clientId: '', clientSecret: '', scope: '' };

function authInput(kind: AuthKind, auth: HttpFields['auth']) {
  const { username, password, token, tokenUrl, clientId, clientSecret, scope } = auth;
  switch (kind) {
    case 'none':
      return undefined;
    case 'basic':
      return { kind, username, password };
    case 'bearer':
      return { kind, token };
    case 'oauth2':
      return { kind, tokenUrl: completeAddress(tokenUrl), clientId, clientSecret, ...(scope && { scope }) };
    default:
      return kind satisfies never;
  }
}

function ruleInput({ source, property, operator, value }: Rule) {
  const takesProperty = source === 'header' || source === 'json';
  const takesValue = operator !== 'exists' && operator !== 'notExists';
  return {
    source,
    operator,
    ...(takesProperty && property.trim() && { property: property.trim() }),
    ...(takesValue && value !== '' && { value: readRuleValue(source, value) }),
  };
}

export const http: TypeForm<InitialConfig<'http'>, HttpFields> = {
  label: 'HTTP',
  note: 'URL, status, body',
  toFields: (config) => {
    const { kind: authKind = 'none', ...auth } = config.auth ?? {};
    const { scope } = { scope: undefined, ...auth };
    return {
      url: config.url ?? '',
      method: config.method,
      headers: headerFields(config.headers),
      body: config.body ?? '',
      authKind,
      auth: { ...noAuth, ...auth, scope: scope ?? '' },
      expectedStatus: config.expectedStatus.join(', '),
      followRedirects: config.followRedirects,
      maxRedirects: text(config.maxRedirects),
      degradedAfter: writeDuration(config.degradedAfterMs),
      verifyTls: config.verifyTls,
      certificateWarnDays: text(config.certificateWarnDays),
      ipFamily: config.ipFamily,
      saveResponseBody: saveResponseField(config.saveResponseBody),
      assertions: config.assertions.map(({ source, property = '', operator, value }) => ({
        source,
        property,
        operator,
        value: writeRuleValue(source, value),
      })),
    };
  },
  toConfig: (fields) => ({
    url: completeAddress(fields.url),
    method: fields.method,
    headers: headersInput(fields.headers),
    body: fields.body === '' ? undefined : fields.body,
    auth: authInput(fields.authKind, fields.auth),
    expectedStatus: fields.expectedStatus.split(/[\s,]+/).filter((part) => part !== ''),
    followRedirects: fields.followRedirects,
    maxRedirects: figure(fields.maxRedirects),
    degradedAfterMs: parseDuration(fields.degradedAfter) ?? undefined,
    verifyTls: fields.verifyTls,
    certificateWarnDays: figure(fields.certificateWarnDays),
    ipFamily: fields.ipFamily,
    saveResponseBody: saveResponseInput(fields.saveResponseBody),
    assertions: fields.assertions.map(ruleInput),
  }),
  renamed: { degradedAfterMs: 'degradedAfter', 'auth.kind': 'authKind' },
  nested: ['auth', 'assertions'],
  durations: { degradedAfter: 1 },
  Target: UrlField,
  upWhen: 'The status code is expected and every rule passes.',
  Expected() {
    return (
      <>
        <TextField
          name="http.expectedStatus"
          label="Expected status codes"
          mono
          help="Codes and ranges: 200-299, 301. A rule about the status code replaces them."
        />
        <RulesEditor />
      </>
    );
  },
  Speed() {
    return <TextField name="http.degradedAfter" label="Degraded after" optional placeholder="800 ms" />;
  },
  Advanced: HttpAdvanced,
  advanced: [
    'headers',
    'body',
    'authKind',
    'auth',
    'maxRedirects',
    'certificateWarnDays',
    'ipFamily',
    'saveResponseBody',
  ],
  advancedTitle: 'Headers, body, authentication, response, redirects, certificate',
};
