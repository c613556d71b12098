/**
 * How the form shows a field of the config. Values of `text` are trimmed, those of `verbatim` are not; `list` separates its values by commas, `lines`
 * by lines. `headers`, `assertions`, `interval`, `steps` and `variables` have their own components.
 */
export type FieldKind =
  | 'text'
  | 'verbatim'
  | 'multiline'
  | 'url'
  | 'number'
  | 'duration'
  | 'switch'
  | 'select'
  | 'list'
  | 'lines'
  | 'headers'
  | 'assertions'
  | 'interval'
  | 'steps'
  | 'variables';

/** Where the form draws a field. `advanced` and `confirmation` are closed at first. */
export type FieldGroup = 'target' | 'timing' | 'expected' | 'threshold' | 'advanced' | 'confirmation';

/** One field of a monitor's form. */
export interface FormField {
  label: string;
  kind: FieldKind;
  group: FieldGroup;
  help?: string;
  placeholder?: string;
  /** Overrides whether the kind uses a fixed-width font. */
  mono?: boolean;
  /** If it is empty, the schema's default applies. */
  optional?: true;
  /** `half`: beside another half on wide screens. `narrow`: beside the field before it. */
  width?: 'half' | 'narrow';
  /** The choices of a `select`, by their value in the config. */
  options?: readonly { value: string | number | boolean | undefined; label: string }[];
  /** The milliseconds of the config's unit, for a `duration`: 1 by default. */
  unitMs?: number;
  /** The scheme that completes a `url`: by default https, or http if a certificate is unlikely. */
  scheme?: 'wss';
  /** The `select` that is drawn in front of a `url`. */
  prefix?: string;
  /** The field exists only for these values of another one. With `keeps`, it is hidden for others, but keeps its value. */
  when?: { field: string; is: readonly unknown[]; keeps?: true };
  /** Returns the value of the field if the config has none. */
  initial?(config: Record<string, unknown>): string;
}

type SubPath<Value> = Value extends readonly unknown[]
  ? ''
  : Value extends object
    ? string extends keyof Value
      ? ''
      : `.${ConfigPath<Value>}`
    : '';

/** The paths of a config's values: "url", "auth.password". */
export type ConfigPath<Config> = Config extends unknown
  ? { [Key in keyof Config & string]-?: `${Key}${SubPath<NonNullable<Config[Key]>>}` }[keyof Config & string]
  : never;

/** The fields that all types share, and those that only the server sets. */
type NotOwn = 'timeoutMs' | `confirm.${'failures' | 'recoveries' | 'retryDelayMs'}` | 'pingUrl';

/** How the form presents a monitor type. */
export interface TypeForm<Config> {
  label: string;
  note: string;
  /** The success criteria in a sentence. */
  upWhen: string;
  /** What the initially collapsed section contains. */
  advanced?: string;
  /** Returns a name for a new monitor, from its fields as typed. */
  suggestName?(fields: Record<string, string | undefined>): string | undefined;
  /** The fields in their order, by their path in the config. Others are not sent: they show or hide fields. */
  fields: Record<Exclude<ConfigPath<Config>, NotOwn>, FormField> & Record<string, FormField>;
}
