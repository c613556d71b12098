/** A config as the API returns it. The server has validated it, so each field that it has is as the schema says. */
export type Stored<Config> = { [Key in keyof Config]?: Config[Key] | undefined };

/** A whole number as text; empty where there is none. */
export const text = (value: number | undefined) => (value === undefined ? '' : String(value));

/** A whole number as typed; NaN, which every schema refuses, for anything else. */
export function figure(text: string): number {
  return /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
}

export interface HeaderField {
  name: string;
  value: string;
}

export function headerFields(headers: Record<string, string> = {}): HeaderField[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

export function headersInput(fields: HeaderField[]): Record<string, string> {
  const filled = fields.filter(({ name, value }) => name || value);
  return Object.fromEntries(filled.map(({ name, value }) => [name.trim(), value]));
}
