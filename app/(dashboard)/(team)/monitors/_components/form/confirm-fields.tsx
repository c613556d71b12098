'use client';

import { NumberChoiceField, TextField, Two } from './fields';

const successes = Array.from({ length: 10 }, (_, index) => ({
  value: index + 1,
  label: index === 0 ? '1 success' : `${index + 1} successes in a row`,
}));

/** How a change of status is confirmed. */
export function ConfirmFields() {
  return (
    <Two>
      <NumberChoiceField name="confirm.recoveries" label="Recovery threshold" options={successes} />
      <TextField
        name="confirm.retryDelay"
        label="Retry delay"
        help="Time between the rechecks that confirm a change."
      />
    </Two>
  );
}
