import type { Plan } from '@/server/checks/schedule/plan';
import type { ScheduleSource } from '@/server/checks/schedule/source';
import { SizedCache } from '@/server/platform/sized-cache';

/** A plan as it was read, and the characters of its config. */
export interface ReadPlan {
  plan: Plan;
  size: number;
}

type PlansOfSource = ScheduleSource['plans'];

const MOST = { entries: 10_000, size: 64 * 1024 * 1024 };

/** The plans of an agent, which stay in its memory until their versions change. */
export class AgentPlans implements PlansOfSource {
  private readonly kept = new SizedCache<Plan>(MOST);

  /** @param read reads up to `atOnce` plans from the server; those of monitors of other regions are missing */
  constructor(
    private readonly read: (ids: string[]) => Promise<ReadPlan[]>,
    private readonly atOnce: number,
  ) {}

  async *inParts<Each extends { monitorId: string; version: number }>(
    wanted: Each[],
  ): AsyncGenerator<{ of: Each; plan: Plan | undefined }[]> {
    const missing: Each[] = [];
    const found: { of: Each; plan: Plan }[] = [];
    for (const of of wanted) {
      const plan = this.kept.get(of.monitorId);
      if (plan?.monitor.version === of.version) found.push({ of, plan });
      else missing.push(of);
    }
    yield found;
    for (let from = 0; from < missing.length; from += this.atOnce) {
      const some = missing.slice(from, from + this.atOnce);
      const plans = new Map<string, Plan>();
      for (const { plan, size } of await this.read(some.map(({ monitorId }) => monitorId))) {
        plans.set(plan.monitor.id, plan);
        this.kept.set(plan.monitor.id, plan, size);
      }
      yield some.map((of) => ({ of, plan: plans.get(of.monitorId) }));
    }
  }
}
