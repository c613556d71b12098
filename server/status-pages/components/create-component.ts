import { recordAudit } from '@/server/audit/record-audit';
import { planLimits } from '@/server/plans/plans';
import { type Tx, violatedConstraint } from '@/server/platform/db';
import { AppError, invalidField } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { notifyStatusPages } from '@/server/platform/listen';
import { lockStatusPage } from '@/server/platform/locks';
import type { Call, TeamContext } from '@/server/trpc/contexts';
import { type CreateComponentInput, MAX_PAGE_COMPONENTS, type StatusPageComponent } from '../schema';
import { forgetSnapshots } from '../snapshots/forget-snapshots';
import { nameKey, nameTaken } from './component-key';
import { readComponent } from './component-queries';

/** @throws AppError PLAN_LIMIT_REACHED, VALIDATION_ERROR if the page has the maximum number of components */
async function assertRoom(tx: Tx, { plan }: TeamContext['team'], statusPageId: string): Promise<void> {
  const count = await tx.statusPageComponent.count({ where: { statusPageId } });
  const cap = planLimits[plan].pageComponents;
  if (cap !== null && count >= cap) {
    throw new AppError('PLAN_LIMIT_REACHED', `The ${plan} plan allows ${cap} components per status page.`);
  }
  if (count >= MAX_PAGE_COMPONENTS) {
    throw invalidField('statusPageId', `A status page has at most ${MAX_PAGE_COMPONENTS} components.`);
  }
}

/** Returns the position after the last item of a page. */
async function lastPosition(tx: Tx, statusPageId: string): Promise<number> {
  const greatest = { where: { statusPageId }, _max: { position: true } } as const;
  const monitors = await tx.statusPageMonitor.aggregate(greatest);
  const components = await tx.statusPageComponent.aggregate(greatest);
  return Math.max(monitors._max.position ?? -1, components._max.position ?? -1) + 1;
}

/**
 * Adds a component without a monitor to the end of a status page. Does not change the version of the page.
 * @throws AppError PLAN_LIMIT_REACHED, VALIDATION_ERROR (a page of another team, or a name that is taken on the page)
 */
export async function createComponent({ ctx, input }: Call<CreateComponentInput>): Promise<StatusPageComponent> {
  const { team } = ctx;
  const { statusPageId, name, description = '' } = input;
  const id = newId();
  const now = new Date();
  try {
    const component = await ctx.db.$transaction(async (tx) => {
      if (!(await lockStatusPage(tx, team.id, statusPageId))) {
        throw invalidField('statusPageId', 'There is no such status page in this team.');
      }
      await assertRoom(tx, team, statusPageId);
      const position = await lastPosition(tx, statusPageId);
      await tx.statusPageComponent.create({
        data: {
          id,
          statusPageId,
          name,
          nameKey: nameKey(name),
          description,
          position,
          createdAt: now,
          updatedAt: now,
        },
      });
      const after = await readComponent(tx, team.id, id);
      const target = { type: 'status_page_component', id, name };
      await recordAudit(tx, ctx, { teamId: team.id, action: 'status_page_component.create', target, after });
      await notifyStatusPages(tx, team.id, [statusPageId]);
      return after;
    });
    await forgetSnapshots(team.id);
    return component;
  } catch (error) {
    if (violatedConstraint(error)?.includes('name_key')) throw nameTaken();
    throw error;
  }
}
