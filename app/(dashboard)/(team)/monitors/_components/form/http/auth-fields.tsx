'use client';

import { useFormState, useWatch } from 'react-hook-form';
import { ChoiceField, TextField, Two } from '../fields';
import type { AuthKind, MonitorFields } from '../monitor-fields';

const kinds: { value: AuthKind; label: string }[] = [
  { value: 'none', label: 'None' },
  { value: 'basic', label: 'Username and password' },
  { value: 'bearer', label: 'Bearer token' },
  { value: 'oauth2', label: 'OAuth 2.0 client credentials' },
];

const KEPT = 'Stored encrypted. Leave unchanged to keep it. Required again if the URL points to another server.';

/** How a check authenticates. */
export function AuthFields() {
  const kind = useWatch<MonitorFields, 'http.authKind'>({ name: 'http.authKind' });
  const { defaultValues } = useFormState<MonitorFields>();
  const help = defaultValues?.http?.authKind === kind ? KEPT : 'Stored encrypted.';
  return (
    <>
      <ChoiceField name="http.authKind" label="Authentication" options={kinds} />
      {kind === 'basic' ? (
        <Two>
          <TextField name="http.auth.username" label="Username" autoComplete="off" />
          <TextField name="http.auth.password" label="Password" mono autoComplete="off" help={help} />
        </Two>
      ) : null}
      {kind === 'bearer' ? (
        <TextField name="http.auth.token" label="Token" mono autoComplete="off" help={help} />
      ) : null}
      {kind === 'oauth2' ? (
        <>
          <TextField name="http.auth.tokenUrl" label="Token URL" mono inputMode="url" />
          <Two>
            <TextField name="http.auth.clientId" label="Client ID" mono autoComplete="off" />
            <TextField name="http.auth.clientSecret" label="Client secret" mono autoComplete="off" help={help} />
          </Two>
          <TextField name="http.auth.scope" label="Scope" mono optional />
        </>
      ) : null}
    </>
  );
}
