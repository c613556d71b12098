import { recordAudit } from '@/server/audit/record-audit';
import { invalidField } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { enqueue } from '@/server/platform/jobs';
import { notifyStatusPages } from '@/server/platform/listen';
import { lockStatusPage } from '@/server/platform/locks';
import { storage } from '@/server/platform/storage';
import type { Call } from '@/server/trpc/contexts';
import { readImage } from './images/read-image';
import { logoKeyOf } from './logo-key';
import { deleteUnusedLogo } from './objects';
import { readStatusPage, statusPageNotFound } from './queries';
import { MAX_LOGO_BYTES, MAX_LOGO_SIDE, type SetLogoInput, type StatusPage } from './schema';
import { forgetSnapshots } from './snapshots/forget-snapshots';

/** The delay of the clean-up: by then, an upload has finished or failed. */
const UPLOAD_MS = 3_600_000;

/**
 * Sets the logo of a status page, replacing the previous one.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR at data (too large, or not a supported image)
 */
export async function setLogo({ ctx, input }: Call<SetLogoInput>): Promise<StatusPage> {
  const { team } = ctx;
  const { id } = input;
  const bytes = Buffer.from(input.data, 'base64');
  if (bytes.byteLength > MAX_LOGO_BYTES) throw invalidField('data', 'Use an image of at most 512 KiB.');
  const image = readImage(bytes);
  if (!image) throw invalidField('data', 'Use a PNG, JPEG or WebP image.');
  if (Math.max(image.width, image.height) > MAX_LOGO_SIDE) {
    throw invalidField(
      'data',
      `Use an image of at most ${MAX_LOGO_SIDE} × ${MAX_LOGO_SIDE} pixels; this one has ${image.width} × ${image.height}.`,
    );
  }
  const logoKey = logoKeyOf(id, newId(), image.extension);
  // Schedules the clean-up before the upload, so that an interrupted upload leaves no object.
  await ctx.db.$transaction(async (tx) => {
    if (!(await lockStatusPage(tx, team.id, id))) throw statusPageNotFound();
    await enqueue(tx, deleteUnusedLogo, { logoKey }, { runAt: new Date(Date.now() + UPLOAD_MS) });
  });
  await storage.put(logoKey, bytes, { contentType: image.contentType });
  const saved = await ctx.db.$transaction(async (tx) => {
    const replaced = await lockStatusPage(tx, team.id, id);
    const before = await readStatusPage(tx, team.id, id);
    // Keeps `updatedAt`, because the logo is saved while the form is open.
    await tx.statusPage.update({ where: { id }, data: { logoKey, updatedAt: new Date(before.updatedAt) } });
    if (replaced?.logoKey) await enqueue(tx, deleteUnusedLogo, { logoKey: replaced.logoKey });
    const after = await readStatusPage(tx, team.id, id);
    const target = { type: 'status_page', id, name: after.title };
    await recordAudit(tx, ctx, { teamId: team.id, action: 'status_page.set_logo', target, before, after });
    await notifyStatusPages(tx, team.id, [id]);
    return after;
  });
  await forgetSnapshots(team.id);
  return saved;
}
