import { recordAudit } from '@/server/audit/record-audit';
import { settingExternalId } from '@/server/external-ids/setting-external-id';
import { planLimits } from '@/server/plans/plans';
import { type Tx, violatedConstraint } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { notify } from '@/server/platform/listen';
import { lockTeam } from '@/server/platform/locks';
import type { Call, TeamContext } from '@/server/trpc/contexts';
import { readStatusPage, slugTaken } from './queries';
import type { CreateStatusPageInput, StatusPage } from './schema';
import { assertMonitors, setDisplayNames, setMonitors } from './set-monitors';

/**
 * Locks the team and checks that the plan allows another status page.
 * @throws AppError PLAN_LIMIT_REACHED
 */
async function assertRoom(tx: Tx, { id, plan }: TeamContext['team']): Promise<void> {
  const cap = planLimits[plan].statusPages;
  await lockTeam(tx, id);
  if (cap === null) return;
  const count = await tx.statusPage.count({ where: { teamId: id } });
  const pages = cap === 1 ? 'one status page' : `${cap} status pages`;
  if (count >= cap) throw new AppError('PLAN_LIMIT_REACHED', `The ${plan} plan allows ${pages}.`);
}

/**
 * Creates a status page, public by default.
 * @param id set by an import, so that it finds the page again after an interruption
 * @throws AppError PLAN_LIMIT_REACHED, SLUG_TAKEN, VALIDATION_ERROR (a monitor of another team, or a display name of a monitor that is not on the
 * page)
 */
export async function createStatusPage({ ctx, input }: Call<CreateStatusPageInput>, id = newId()): Promise<StatusPage> {
  const { team } = ctx;
  const {
    slug,
    title,
    description = '',
    isPublic = true,
    monitorIds = [],
    displayNames = {},
    externalId = null,
  } = input;
  const now = new Date();
  const create = async (tx: Tx) => {
    await assertRoom(tx, team);
    await assertMonitors(tx, team.id, monitorIds);
    await tx.statusPage.create({
      data: { id, teamId: team.id, slug, title, description, isPublic, externalId, createdAt: now, updatedAt: now },
    });
    await setMonitors(tx, id, { monitorIds, order: monitorIds });
    await setDisplayNames(tx, id, { monitorIds, names: displayNames });
    const statusPage = await readStatusPage(tx, team.id, id);
    const target = { type: 'status_page', id, name: title };
    await recordAudit(tx, ctx, { teamId: team.id, action: 'status_page.create', target, after: statusPage });
    await notify(tx, { team: team.id, kind: 'status-page', ids: [id] });
    return statusPage;
  };
  try {
    return await settingExternalId('status page', () => ctx.db.$transaction(create));
  } catch (error) {
    if (violatedConstraint(error)?.includes('slug')) throw slugTaken();
    throw error;
  }
}
