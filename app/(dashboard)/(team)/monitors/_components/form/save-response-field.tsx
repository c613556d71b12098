'use client';

import { ChoiceField } from './fields';
import type { SaveResponse } from './monitor-fields';

const options = [
  { value: 'auto', label: 'Unless the monitor sends secrets' },
  { value: 'yes', label: 'Always' },
  { value: 'no', label: 'Never' },
];

/** The choice of a stored config. */
export const saveResponseField = (saved: boolean | undefined): SaveResponse =>
  saved === undefined ? 'auto' : saved ? 'yes' : 'no';

/** The choice as the config has it; undefined for the default. */
export const saveResponseInput = (choice: SaveResponse) => (choice === 'auto' ? undefined : choice === 'yes');

/** Whether incidents keep the bodies of responses. */
export function SaveResponseField({ type }: { type: 'http' | 'tcp' | 'websocket' }) {
  return (
    <ChoiceField
      name={`${type}.saveResponseBody`}
      label="Save response body"
      options={options}
      help="For incidents. Secrets that a response repeats are masked, but cannot be found if they are encrypted, hashed, compressed or split."
    />
  );
}
