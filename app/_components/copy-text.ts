/** Copies through a selection, for pages without the clipboard API, which requires HTTPS or loopback. */
function copyBySelection(text: string, beside: HTMLElement): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.setAttribute('aria-hidden', 'true');
  field.className = 'fixed top-0 left-0 size-px opacity-0';
  // Next to the button, because an open dialog traps the focus.
  beside.after(field);
  field.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    beside.focus();
  }
}

/**
 * Copies a text to the clipboard, also on plain http.
 * @param beside the pressed button, which keeps the focus
 * @returns false if the browser refuses
 */
export async function copyText(text: string, beside: HTMLElement): Promise<boolean> {
  // Undefined on plain HTTP, despite the types.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (!clipboard) return copyBySelection(text, beside);
  return clipboard.writeText(text).then(
    () => true,
    () => copyBySelection(text, beside),
  );
}
