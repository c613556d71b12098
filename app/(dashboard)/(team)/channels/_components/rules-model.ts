import { z } from 'zod';
import { type ChannelRules, QuietHours, type UpdateRulesInput, weekdays } from '@/server/notifications/schema';

/** The fields of the form. Selects hold text, and quiet hours that are off keep their times. */
export interface RulesFields {
  scope: 'all' | 'tags' | 'selected';
  monitorIds: string[];
  tags: string[];
  minSeverity: ChannelRules['minSeverity'];
  events: ChannelRules['events'];
  isQuiet: boolean;
  quietHours: QuietHours;
  maxPerMinute: string;
  reminderMinutes: string;
}

/** The initial values of the form. `zone` is the time zone for new quiet hours. */
export function toRulesFields(rules: ChannelRules, zone: string): RulesFields {
  const { monitorIds, tags, minSeverity, events, quietHours } = rules;
  const scope = monitorIds === null ? 'all' : monitorIds.length > 0 ? 'selected' : 'tags';
  const first = { days: [...weekdays], from: '22:00', to: '07:00', timezone: zone, sendsCritical: true };
  return {
    scope,
    tags,
    minSeverity,
    events,
    monitorIds: monitorIds ?? [],
    isQuiet: quietHours !== null,
    quietHours: quietHours ?? first,
    maxPerMinute: String(rules.maxPerMinute),
    reminderMinutes: String(rules.reminderMinutes),
  };
}

const Fields = z
  .object({
    scope: z.enum(['all', 'tags', 'selected']),
    monitorIds: z.array(z.string()),
    tags: z.array(z.string()),
    minSeverity: z.enum(['critical', 'warning', 'minor']),
    events: z.custom<ChannelRules['events']>(),
    isQuiet: z.boolean(),
    quietHours: z.custom<QuietHours>(),
    maxPerMinute: z.string().regex(/^([1-9]|[1-5]\d|60)$/, 'Enter a number from 1 to 60.'),
    reminderMinutes: z.string(),
  })
  .superRefine(({ scope, monitorIds, tags, isQuiet, quietHours }, ctx) => {
    if (scope === 'tags' && tags.length === 0) {
      ctx.addIssue({ code: 'custom', path: ['tags'], message: 'Enter at least one tag.' });
    }
    if (scope === 'selected' && monitorIds.length === 0 && tags.length === 0) {
      ctx.addIssue({ code: 'custom', path: ['monitorIds'], message: 'Add at least one monitor.' });
    }
    const issues = isQuiet ? (QuietHours.safeParse(quietHours).error?.issues ?? []) : [];
    for (const { path, message } of issues) {
      ctx.addIssue({ code: 'custom', path: ['quietHours', ...path], message });
    }
  });

/** Validates the fields and converts them to the input of the API. */
export const rulesForm = Fields.transform(
  ({ scope, isQuiet, quietHours, ...fields }): Omit<UpdateRulesInput, 'id'> => ({
    monitorIds: scope === 'all' ? null : scope === 'tags' ? [] : fields.monitorIds,
    tags: scope === 'all' ? [] : fields.tags,
    minSeverity: fields.minSeverity,
    events: fields.events,
    quietHours: isQuiet ? QuietHours.parse(quietHours) : null,
    maxPerMinute: Number(fields.maxPerMinute),
    reminderMinutes: Number(fields.reminderMinutes),
  }),
);
