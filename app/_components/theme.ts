/** The theme setting; `system` follows the operating system. */
export const themes = ['system', 'light', 'dark'] as const;

export type Theme = (typeof themes)[number];

/** The theme's cookie. The server reads it to render the first page in the right theme. */
export const themeCookie = 'theme';

/** Parses a stored theme; unknown values are `system`. */
export function toTheme(text: string | null | undefined): Theme {
  return themes.find((theme) => theme === text) ?? 'system';
}
