'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { linkClass, Section } from '@/app/_components/page';
import { useTRPC } from '@/app/_trpc/client';
import type { EscalationPolicy } from '@/server/on-call/schema';

/** Something that uses an object, with its page. */
export interface Use {
  href: string;
  name: string;
  /** The part of it: "step 1". */
  where: string;
}

const list = new Intl.ListFormat('en');

/** "step 1", "steps 1 and 3": the steps of a policy that name a target. */
export function stepsNaming({ steps }: Pick<EscalationPolicy, 'steps'>, ids: readonly string[]): string {
  const numbers = steps.flatMap(({ targets }, index) =>
    targets.some(({ id }) => ids.includes(id)) ? [String(index + 1)] : [],
  );
  return `${numbers.length === 1 ? 'step' : 'steps'} ${list.format(numbers)}`;
}

/** The escalation policies that name a person, schedule or channel; undefined while they load. */
export function usePoliciesNaming(targetId: string | undefined): EscalationPolicy[] | undefined {
  const trpc = useTRPC();
  const input = { limit: 100, targetId: targetId ?? '' };
  const options = trpc.escalationPolicies.list.queryOptions(input, { enabled: targetId !== undefined });
  return useQuery(options).data?.escalationPolicies;
}

/** The uses of a schedule or channel in policies, with their steps. */
export function toUses(policies: readonly EscalationPolicy[], id: string): Use[] {
  return policies.map((policy) => ({
    href: `/on-call/escalation-policies/${policy.id}`,
    name: policy.name,
    where: stepsNaming(policy, [id]),
  }));
}

/** "Payments (step 1) and Core (steps 1 and 2)" */
export function usesText(uses: readonly Use[]): string {
  return list.format(uses.map(({ name, where }) => (where ? `${name} (${where})` : name)));
}

/** Where an object is used. Renders nothing while that loads. */
export function UsedBy({ uses, nothing }: { uses: readonly Use[] | undefined; nothing: string }) {
  if (!uses) return null;
  return (
    <Section title="Used by">
      {uses.length === 0 ? <p className="text-muted">{nothing}</p> : null}
      <ul className="grid gap-1">
        {uses.map(({ href, name, where }) => (
          <li key={`${href} ${where}`} className="[overflow-wrap:anywhere]">
            <Link href={href} className={linkClass}>
              {name}
            </Link>
            {where ? <span className="text-muted">, {where}</span> : null}
          </li>
        ))}
      </ul>
    </Section>
  );
}
