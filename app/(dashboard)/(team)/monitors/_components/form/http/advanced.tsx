'use client';

import { useWatch } from 'react-hook-form';
import { AreaField, ChoiceField, NumberChoiceField, SwitchField, TextField, Two } from '../fields';
import { HeadersEditor } from '../headers-editor';
import type { MonitorFields } from '../monitor-fields';
import { SaveResponseField } from '../save-response-field';
import { AuthFields } from './auth-fields';

const families = [
  { value: 'auto', label: 'Automatic' },
  { value: '4', label: 'IPv4 only' },
  { value: '6', label: 'IPv6 only' },
];

const slowChecks = Array.from({ length: 10 }, (_, index) => ({
  value: index + 1,
  label: index === 0 ? '1 check' : `${index + 1} checks in a row`,
}));

/** Settings that most HTTP monitors leave at their defaults. */
export function HttpAdvanced() {
  const follows = useWatch<MonitorFields, 'http.followRedirects'>({ name: 'http.followRedirects' });
  return (
    <>
      <HeadersEditor name="http.headers" />
      <AreaField name="http.body" label="Body" optional />
      <AuthFields />
      <SwitchField name="http.verifyTls" label="Verify TLS certificate" />
      <Two>
        <TextField
          name="http.certificateWarnDays"
          label="Certificate warning"
          inputMode="numeric"
          help="Days before it expires. 0 turns warnings off."
        />
        <ChoiceField name="http.ipFamily" label="IP version" options={families} />
      </Two>
      <Two>
        <NumberChoiceField
          name="confirm.degraded"
          label="Degraded threshold"
          help="Also the number of normal checks before it is up again."
          options={slowChecks}
        />
      </Two>
      <SaveResponseField type="http" />
      <SwitchField name="http.followRedirects" label="Follow redirects" />
      {follows ? (
        <Two>
          <TextField name="http.maxRedirects" label="Maximum redirects" inputMode="numeric" />
        </Two>
      ) : null}
    </>
  );
}
