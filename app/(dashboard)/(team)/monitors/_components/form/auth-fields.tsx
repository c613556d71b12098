'use client';

import { useWatch } from 'react-hook-form';
import { ChoiceField, TextField, Two } from './fields';
import type { AuthKind, MonitorFields } from './model';

const kinds: { value: AuthKind; label: string }[] = [
  { value: 'none', label: 'None' },
  { value: 'basic', label: 'User and password' },
  { value: 'bearer', label: 'Bearer token' },
  { value: 'oauth2', label: 'OAuth 2 client' },
];

const kept = 'Stored encrypted. Leave unchanged to keep it. Required again when the URL leads to another server.';

/** How a check signs in. */
export function AuthFields() {
  const kind = useWatch<MonitorFields, 'http.authKind'>({ name: 'http.authKind' });
  return (
    <>
      <ChoiceField name="http.authKind" label="Sign-in" options={kinds} />
      {kind === 'basic' ? (
        <Two>
          <TextField name="http.auth.username" label="User" autoComplete="off" />
          <TextField name="http.auth.password" label="Password" mono autoComplete="off" help={kept} />
        </Two>
      ) : null}
      {kind === 'bearer' ? (
        <TextField name="http.auth.token" label="Token" mono autoComplete="off" help={kept} />
      ) : null}
      {kind === 'oauth2' ? (
        <>
          <TextField name="http.auth.tokenUrl" label="Token endpoint" mono inputMode="url" />
          <Two>
            <TextField name="http.auth.clientId" label="Client ID" mono autoComplete="off" />
            <TextField name="http.auth.clientSecret" label="Client secret" mono autoComplete="off" help={kept} />
          </Two>
          <TextField name="http.auth.scope" label="Scope" mono optional />
        </>
      ) : null}
    </>
  );
}
