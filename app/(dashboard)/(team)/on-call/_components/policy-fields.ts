import { z } from 'zod';
import { scopeShape } from '@/app/_components/monitors/scope-model';
import { CreatePolicyInput } from '@/server/on-call/schema';

export const Fields = z.object({
  name: CreatePolicyInput.shape.name,
  steps: CreatePolicyInput.shape.steps,
  repeat: z.string(),
  minSeverity: z.enum(['minor', 'warning', 'critical']),
  ...scopeShape,
});
export type PolicyFields = z.infer<typeof Fields>;
