import type { ChannelConfig, ChannelType } from '@/server/notifications/schema';
import { discord } from './discord';
import { email } from './email';
import type { KindForm } from './kind-form';
import { line } from './line';
import { slack } from './slack';
import { telegram } from './telegram';
import { webhook } from './webhook';

/** The form of each kind of channel. */
const kindForms: { [Type in ChannelType]: KindForm<keyof ChannelConfig<Type> & string> } = {
  email,
  slack,
  discord,
  line,
  telegram,
  webhook,
};

/** The form of a kind, whose fields are those of its config. */
export function kindFormOf(type: ChannelType): KindForm<string> {
  return kindForms[type];
}
