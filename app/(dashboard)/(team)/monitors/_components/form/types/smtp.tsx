'use client';

import { useWatch } from 'react-hook-form';
import { ChoiceField, TextField, Two } from '../fields';
import { figure, type InitialConfig, text } from '../figures';
import type { MonitorFields, SmtpFields } from '../monitor-fields';
import { useSuggestedName } from '../use-suggested-name';
import { HostAndPort } from './host-and-port';
import type { TypeForm } from './type-form';

const securities = [
  { value: 'none', label: 'None' },
  { value: 'starttls', label: 'STARTTLS' },
  { value: 'tls', label: 'TLS' },
] as const;

export const smtp: TypeForm<InitialConfig<'smtp'>, SmtpFields> = {
  label: 'SMTP',
  note: 'Mail server replies',
  toFields: ({ host = '', port, security, expectedCode, certificateWarnDays }) => ({
    host,
    port: text(port),
    security,
    expectedCode: text(expectedCode),
    certificateWarnDays: text(certificateWarnDays),
  }),
  toConfig: ({ host, port, security, expectedCode, certificateWarnDays }) => ({
    host,
    port: figure(port),
    security,
    expectedCode: figure(expectedCode),
    certificateWarnDays: figure(certificateWarnDays),
  }),
  Target({ suggests }) {
    const { host, port } = useWatch<MonitorFields, 'smtp'>({ name: 'smtp' });
    useSuggestedName(host && port ? `${host}:${port}` : host, suggests);
    return (
      <>
        <HostAndPort of="smtp" placeholder="mail.northwind.example" port="25" />
        <Two>
          <ChoiceField name="smtp.security" label="Connection security" options={securities} />
        </Two>
      </>
    );
  },
  upWhen: 'The mail server replies with the expected code within the timeout.',
  Expected() {
    return (
      <TextField
        name="smtp.expectedCode"
        label="Expected code"
        mono
        inputMode="numeric"
        help="Of the reply to EHLO: 250. A server that rejects connections greets with 554."
      />
    );
  },
  Advanced() {
    return (
      <TextField
        name="smtp.certificateWarnDays"
        label="Certificate warning"
        inputMode="numeric"
        help="With STARTTLS or TLS: days before it expires. 0 turns warnings off."
      />
    );
  },
  advanced: ['certificateWarnDays'],
  advancedTitle: 'Certificate, confirmation',
};
