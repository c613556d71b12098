import { z } from 'zod';
import type { FormField } from '../form-field';

/** The setting of monitors that are up while their check fails, such as those of a port that must be closed. */
export const UpsideDown = z.boolean().optional().meta({
  description:
    'Whether the result is reversed: the monitor is up while its check fails, and down once it succeeds. A check that could not be run stays unknown.',
});

export const upsideDownField = {
  label: 'Expected result',
  kind: 'select',
  group: 'expected',
  options: [
    { value: undefined, label: 'The check succeeds' },
    { value: true, label: 'The check fails (upside down)' },
  ],
  help: 'Upside down: up while the check fails for any reason, such as a closed port, and down once it succeeds.',
} satisfies FormField;
