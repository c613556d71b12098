import { assertReadOnly } from '@/server/audit/assert-read-only';
import { assertUnchanged, nextVersion } from '@/server/audit/assert-unchanged';
import { changesNothing } from '@/server/audit/changes-nothing';
import { recordAudit } from '@/server/audit/record-audit';
import { settingExternalId } from '@/server/external-ids/setting-external-id';
import { type Tx, violatedConstraint } from '@/server/platform/db';
import { invalidField } from '@/server/platform/errors';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import { notifyStatusPages } from '@/server/platform/listen';
import { lockStatusPage } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import { pageOrder } from './page-order';
import { readStatusPage, slugTaken } from './queries';
import type { StatusPage, UpdateStatusPageInput } from './schema';
import { assertMonitors, setDisplayNames, setMonitors } from './set-monitors';
import { forgetSnapshots } from './snapshots/forget-snapshots';

/** Returns the display names of these monitors only. */
function onlyOf(names: Record<string, string>, monitorIds: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(names).filter(([id]) => monitorIds.includes(id)));
}

/**
 * Returns the order after the edit, and the monitors in that order.
 * @throws AppError VALIDATION_ERROR at order
 */
function placesOf(before: StatusPage, { monitorIds = before.monitorIds, order: given }: UpdateStatusPageInput) {
  const componentIds = before.components.map(({ id }) => id);
  const stray = given?.find((id) => !monitorIds.includes(id) && !componentIds.includes(id));
  if (stray !== undefined) {
    throw invalidField('order', `There is no monitor or component ${stray.slice(0, 64)} on this page.`);
  }
  const order = pageOrder(before.order, { monitorIds, componentIds, given });
  return { order, monitorIds: order.filter((id) => monitorIds.includes(id)) };
}

/**
 * Updates the given fields of a status page; writes nothing if nothing changes.
 * @throws AppError NOT_FOUND, SLUG_TAKEN, EDIT_CONFLICT, VALIDATION_ERROR (a monitor of another team, or a name or place of an item that is not on
 * the page)
 */
export async function updateStatusPage({ ctx, input }: Call<UpdateStatusPageInput>): Promise<StatusPage> {
  const { team } = ctx;
  const { id, slug, title, description, isPublic, displayNames, externalId, ifUpdatedAt } = input;
  const update = async (tx: Tx) => {
    await lockStatusPage(tx, team.id, id);
    const before = await readStatusPage(tx, team.id, id);
    const updatedAt = new Date(before.updatedAt);
    await assertUnchanged(tx, { teamId: team.id, id, updatedAt }, ifUpdatedAt);
    assertReadOnly(input, before);
    const { order, monitorIds } = placesOf(before, input);
    if (changesNothing(before, { slug, title, description, isPublic, order, displayNames, externalId })) return before;
    const data: Prisma.StatusPageUpdateInput = { updatedAt: nextVersion(updatedAt) };
    if (slug !== undefined) data.slug = slug;
    if (title !== undefined) data.title = title;
    if (description !== undefined) data.description = description;
    if (isPublic !== undefined) data.isPublic = isPublic;
    if (externalId !== undefined) data.externalId = externalId;
    const isMoved = !changesNothing(before, { order });
    if (isMoved) {
      await assertMonitors(tx, team.id, monitorIds);
      await setMonitors(tx, id, { monitorIds, order });
    }
    if (isMoved || displayNames !== undefined) {
      const names = displayNames ?? onlyOf(before.displayNames, monitorIds);
      await setDisplayNames(tx, id, { monitorIds, names });
    }
    await tx.statusPage.update({ where: { id }, data });
    const after = await readStatusPage(tx, team.id, id);
    const target = { type: 'status_page', id, name: after.title };
    await recordAudit(tx, ctx, { teamId: team.id, action: 'status_page.update', target, before, after });
    await notifyStatusPages(tx, team.id, [id]);
    return after;
  };
  try {
    const saved = await settingExternalId('status page', () => ctx.db.$transaction(update));
    await forgetSnapshots(team.id);
    return saved;
  } catch (error) {
    if (violatedConstraint(error)?.includes('slug')) throw slugTaken();
    throw error;
  }
}
