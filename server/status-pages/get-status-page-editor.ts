import { readSmallConfigs } from '@/server/history/small-config';
import { maskConfig } from '@/server/monitor-types/config/config-secrets';
import { targetOf } from '@/server/monitor-types/config/target-of';
import { shownSelect, shownStatus } from '@/server/monitor-types/output/shown-status';
import { storage } from '@/server/platform/storage';
import type { OnOneObject, TeamContext } from '@/server/trpc/contexts';
import { readComponentsOf } from './components/component-queries';
import { readStatusPage } from './queries';
import type { StatusPageEditor } from './schema';

/**
 * Returns the data of a page's editor. The logo is null if there is none, or it cannot be read.
 * @throws AppError NOT_FOUND
 */
export async function getStatusPageEditor({ ctx, input: { id } }: OnOneObject): Promise<StatusPageEditor> {
  const statusPage = await readStatusPage(ctx.db, ctx.team.id, id);
  const row = await ctx.db.statusPage.findFirst({
    where: { id, teamId: ctx.team.id },
    select: {
      logoKey: true,
      monitors: {
        orderBy: { position: 'asc' },
        select: {
          monitor: {
            select: {
              id: true,
              num: true,
              name: true,
              type: true,
              states: { where: { region: '' }, select: shownSelect },
            },
          },
        },
      },
    },
  });
  const chosen = row?.monitors ?? [];
  const configs = await readSmallConfigs(
    ctx.db,
    chosen.map(({ monitor }) => monitor.num),
  );
  const monitors = chosen.map(({ monitor }) => ({
    id: monitor.id,
    name: monitor.name,
    type: monitor.type,
    target: targetOf(monitor.type, maskConfig(monitor.type, configs.get(monitor.num) ?? {})),
    status: monitor.states[0] ? shownStatus(monitor.states[0], new Date()).status : ('pending' as const),
  }));
  const components = await readComponentsOf(ctx.db, ctx.team.id, id);
  return { statusPage, monitors, components, logo: row?.logoKey ? await readLogo(ctx, row.logoKey) : null };
}

async function readLogo(ctx: TeamContext, logoKey: string): Promise<string | null> {
  try {
    const logo = await storage.get(logoKey);
    return logo && `data:${logo.contentType};base64,${Buffer.from(logo.bytes).toString('base64')}`;
  } catch (error) {
    ctx.log.warn({ err: error, logoKey }, 'A logo could not be read');
    return null;
  }
}
