/**
 * Options of a form that checks a field once it was left. The error waits for the click that left the field: it moves what is below it, and a button
 * that moves between press and release receives no click.
 */
export const whenTouched = { mode: 'onTouched', delayError: 400 } as const;
