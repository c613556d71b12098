import type { InputProps } from '@/app/_components/ui/input';

export const KEPT = 'Stored encrypted. Leave unchanged to keep it.';

/** A field of the form, and of the config. */
export interface KindField<Name extends string> extends Pick<InputProps, 'inputMode' | 'placeholder' | 'type'> {
  name: Name;
  label: string;
  help?: string;
  /** The help where a channel is edited, if it differs. */
  helpOnEdit?: string;
  /** A new channel may leave it empty. */
  optional?: true;
}

/** The part of the form that one kind of channel has of its own. */
export interface KindForm<Name extends string> {
  note: string;
  fields: KindField<Name>[];
}
