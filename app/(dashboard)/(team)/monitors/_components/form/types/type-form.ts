import type { FieldPath } from 'react-hook-form';

/** The part of the form that one monitor type has of its own. */
export interface TypeForm<Config, Fields extends object> {
  label: string;
  note: string;
  /** The fields for a config: a stored one, or the schema's defaults. */
  toFields(config: Config): Fields;
  /** The config that the fields ask for, not yet validated. Empty fields are undefined. */
  toConfig(fields: Fields): Record<string, unknown>;
  /** The field that shows the issues of a config path, where their names differ. */
  renamed?: Record<string, FieldPath<Fields>>;
  /** Fields with an input for each of their parts, which show issues at the part. */
  nested?: (keyof Fields)[];
  /** Fields that take a time with its unit, and the milliseconds of the config's unit. */
  durations?: Partial<Record<keyof Fields, number>>;
  /** What is monitored; `suggests` a name for the monitor from it. */
  Target?: React.ComponentType<{ suggests: boolean }>;
  /** When pings are due; without it, the interval and the timeout of a check. */
  Timing?: React.ComponentType<{ current: number | undefined }>;
  /** The success criteria in a sentence, and their fields. */
  upWhen: string;
  Expected?: React.ComponentType;
  /** When an answer counts as slow. */
  Speed?: React.ComponentType;
  /** Settings that most monitors leave at their defaults: the names of those fields, and what the section is called. */
  Advanced?: React.ComponentType;
  advanced?: (keyof Fields)[];
  advancedTitle?: string;
}
