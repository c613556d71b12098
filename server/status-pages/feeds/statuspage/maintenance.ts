import { sha256 } from '@/server/platform/crypto';
import type { PublicMaintenance, PublicStatusPage } from '@/server/status-pages/schema';
import { toComponents } from './component';

type Status = 'scheduled' | 'in_progress' | 'completed';

/** Statuspage's default text for each step. */
export const maintenanceBodies: Record<Status, string> = {
  scheduled: 'We will be undergoing scheduled maintenance during this time.',
  in_progress: 'Scheduled maintenance is currently in progress. We will provide updates as necessary.',
  completed: 'The scheduled maintenance has been completed.',
};

/** Returns the steps that a window has reached, latest first. */
export function stepsOf(
  { createdAt, startsAt, endsAt }: PublicMaintenance,
  now: Date,
): { status: Status; at: string }[] {
  const steps = [
    { status: 'completed', at: endsAt },
    { status: 'in_progress', at: startsAt },
  ] as const;
  const past = steps.filter(({ at }) => Date.parse(at) <= now.getTime());
  return [...past, { status: 'scheduled', at: createdAt < startsAt ? createdAt : startsAt }];
}

/** Returns the current status of a window. */
export function statusOfMaintenance(window: PublicMaintenance, now: Date): Status {
  return stepsOf(window, now)[0]?.status ?? 'scheduled';
}

/** Maps a maintenance window to Statuspage form. */
export function toMaintenance(page: PublicStatusPage, window: PublicMaintenance, now: Date) {
  const { id, title, startsAt, endsAt, createdAt, updatedAt, componentIds } = window;
  const components = toComponents(page, componentIds);
  const steps = stepsOf(window, now);
  const status = statusOfMaintenance(window, now);
  return {
    id,
    name: title,
    status,
    created_at: createdAt,
    updated_at: [updatedAt, ...steps.map(({ at }) => at)].toSorted().at(-1) ?? updatedAt,
    monitoring_at: null,
    resolved_at: status === 'completed' ? endsAt : null,
    impact: 'maintenance',
    shortlink: page.url,
    started_at: startsAt,
    page_id: page.id,
    incident_updates: steps.map((step) => ({
      id: sha256(`${id}:${step.status}`).slice(0, 32),
      status: step.status,
      body: maintenanceBodies[step.status],
      incident_id: id,
      created_at: step.at,
      updated_at: step.at,
      display_at: step.at,
      affected_components: components.map(({ id: code, name }) => ({
        code,
        name,
        old_status: step.status === 'completed' ? 'under_maintenance' : 'operational',
        new_status: step.status === 'in_progress' ? 'under_maintenance' : 'operational',
      })),
      deliver_notifications: true,
      custom_tweet: null,
      tweet_id: null,
    })),
    components,
    scheduled_for: startsAt,
    scheduled_until: endsAt,
  };
}
