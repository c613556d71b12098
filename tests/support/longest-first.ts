import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest, longest first. Started last, each would keep one core busy after all others have ended. A clone knows no durations of
 * earlier runs, and Vitest then starts with the files of most bytes.
 */
export const LONGEST = [
  'tests/contract/operations.test.ts',
  'tests/contract/openapi.test.ts',
  'tests/contract/property.test.ts',
  'tests/fault/starts.test.ts',
  'tests/fault/alerts.test.ts',
  'tests/fault/start.test.ts',
  'tests/fault/release.test.ts',
  'tests/fault/faulty-regions.test.ts',
  'tests/fault/killed-writes.test.ts',
  'tests/fault/database-stopped.test.ts',
  'tests/fault/owners.test.ts',
  'tests/fault/shared-volume.test.ts',
  'tests/fault/full-disk.test.ts',
  'tests/fault/chaos.test.ts',
  'tests/fault/killed-workers.test.ts',
  'tests/fault/bulk-flood.test.ts',
  'tests/fault/killed-regions.test.ts',
  'tests/fault/parts.test.ts',
  'tests/fault/demo.test.ts',
  'tests/integration/operate/backup.test.ts',
  'tests/integration/notifications/order.test.ts',
  'tests/integration/notifications/deliver-message.test.ts',
  'tests/integration/monitor-types/evaluate-apart.test.ts',
  'tests/integration/checks/schedule.test.ts',
  'tests/integration/notifications/history.test.ts',
  'tests/integration/platform/jobs.test.ts',
  'tests/integration/prisma/baseline.test.ts',
  'tests/integration/checks/name-servers.test.ts',
  'tests/integration/prisma/migrate.test.ts',
  'tests/integration/scripts/stale-postmaster.test.ts',
  'tests/integration/on-call/notified.test.ts',
  'tests/integration/checks/full-disk.test.ts',
  'tests/unit/checks/simulated/fuzz.test.ts',
  'tests/unit/platform/net/decode-body.test.ts',
  'tests/unit/platform/net/costly-turns.test.ts',
  'tests/unit/scripts/call-turns.test.ts',
];

/** Within each project, starts with the files that take longest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId }: TestSpecification) => {
      const index = LONGEST.findIndex((path) => moduleId.endsWith(path));
      return index < 0 ? LONGEST.length : index;
    };
    const projects = new Set(sorted.map(({ project }) => project));
    return [...projects].flatMap((project) =>
      sorted.filter((file) => file.project === project).sort((one, other) => rankOf(one) - rankOf(other)),
    );
  }
}
