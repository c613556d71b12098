'use client';

import { useWatch } from 'react-hook-form';
import { AuthFields } from './auth-fields';
import { AreaField, ChoiceField, NumberChoiceField, SwitchField, TextField, Two } from './fields';
import { HeadersEditor } from './headers-editor';
import type { MonitorFields } from './model';

const families = [
  { value: 'auto', label: 'Whichever answers' },
  { value: '4', label: 'IPv4 only' },
  { value: '6', label: 'IPv6 only' },
];

const successes = Array.from({ length: 10 }, (_, index) => ({
  value: index + 1,
  label: index === 0 ? '1 success' : `${index + 1} successes in a row`,
}));

const slowChecks = Array.from({ length: 10 }, (_, index) => ({
  value: index + 1,
  label: index === 0 ? '1 check' : `${index + 1} checks in a row`,
}));

/** How a change of status is confirmed. */
export function ConfirmFields() {
  return (
    <Two>
      <NumberChoiceField name="confirm.recoveries" label="Up again after" options={successes} />
      <TextField
        name="confirm.retryDelay"
        label="Between rechecks"
        help="A change is confirmed by quick rechecks, this far apart."
      />
    </Two>
  );
}

/** What most http monitors leave as it is. */
export function HttpAdvanced() {
  const follows = useWatch<MonitorFields, 'http.followRedirects'>({ name: 'http.followRedirects' });
  return (
    <>
      <HeadersEditor name="http.headers" />
      <AreaField name="http.body" label="Body" optional />
      <AuthFields />
      <SwitchField name="http.verifyTls" label="Refuse an invalid certificate" />
      <Two>
        <TextField
          name="http.certificateWarnDays"
          label="Certificate warning"
          inputMode="numeric"
          help="This many days before it expires; 0 warns of nothing."
        />
        <ChoiceField name="http.ipFamily" label="Address family" options={families} />
      </Two>
      <Two>
        <NumberChoiceField name="confirm.degraded" label="Degraded, and fast again, after" options={slowChecks} />
      </Two>
      <SwitchField name="http.followRedirects" label="Follow redirects" />
      {follows ? (
        <Two>
          <TextField name="http.maxRedirects" label="Redirects at most" inputMode="numeric" />
        </Two>
      ) : null}
    </>
  );
}
