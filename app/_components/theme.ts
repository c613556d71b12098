/** The theme setting; `system` follows the operating system. */
export const themes = ['system', 'light', 'dark'] as const;

export type Theme = (typeof themes)[number];

/** The cookie of the theme, so that the server's first page already uses it. */
export const themeCookie = 'theme';

/** Parses a stored theme; unknown values are `system`. */
export function toTheme(text: string | null | undefined): Theme {
  return themes.find((theme) => theme === text) ?? 'system';
}
