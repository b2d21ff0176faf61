import type { FormDeclaration } from '@guise/contract/ai-tasks/form.ts';
import type { Prices } from '@guise/contract/prices.ts';
import type { Lane, TaskType } from '@guise/contract/task.ts';
import type { TakenForm } from '../../intake/take-form.ts';
import type { WorkOrder } from '../../tasks/task.ts';

/** What makes one workflow of `/api/ai-tasks` different from another; the routes are the same for all. */
export interface Workflow {
  readonly type: TaskType;
  readonly lane: Lane;
  readonly form: FormDeclaration;
  /** Credits that the task will hold. */
  price(form: TakenForm, prices: Prices): number;
  work(form: TakenForm): WorkOrder;
}
