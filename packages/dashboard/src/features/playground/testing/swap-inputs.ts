import { ALL_WORKFLOWS, type Workflow, type WorkflowKind } from '../../../workflows/workflows.ts';
import type { Mapping } from '../swap-inputs.ts';

export function workflowOf(kind: WorkflowKind): Workflow {
  return ALL_WORKFLOWS.find((each) => each.kind === kind)!;
}

export function picture(name: string): File {
  return new File([name], name, { type: 'image/png' });
}

export function mappingOf(faceIndex: number, file: File): Mapping {
  const box = { x: 10 * faceIndex, y: 20, width: 30, height: 40 };
  return { face: { faceIndex, ...box, score: 0.9, yaw: 1, pitch: 2, roll: 3 }, file };
}
