import type { z } from 'zod';
import type { definitions, MonitorType } from '@/server/monitor-types/schema';

type Schema<Type extends MonitorType> = (typeof definitions)[Type]['schema'];

/**
 * The config a form begins with: what the API returned, over the schema's defaults. Only a field without a default may be
 * missing. The server has validated what is there.
 */
export type InitialConfig<Type extends MonitorType, In = z.input<Schema<Type>>, Out = z.output<Schema<Type>>> = {
  [Key in keyof Out]: Key extends keyof In ? (undefined extends In[Key] ? Out[Key] : Out[Key] | undefined) : never;
};

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

export function headerFields(headers: Record<string, string>): HeaderField[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

export function headersInput(fields: HeaderField[]): Record<string, string> {
  const filled = fields.filter(({ name, value }) => name || value);
  return Object.fromEntries(filled.map(({ name, value }) => [name.trim(), value]));
}
