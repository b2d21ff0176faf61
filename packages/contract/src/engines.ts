import type { Plan } from './plans.ts';

/** What engines can compute on. */
export const PROVIDERS = ['cpu', 'cuda', 'tensorrt', 'coreml', 'dml', 'webgpu'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** An engine that draws faces, as `GET /api/ai-tasks/engines` describes it. */
export interface EngineDescription {
  /** Name by which requests choose it. */
  readonly id: string;
  readonly kind: 'mesh' | 'network';
  /** Largest side of the face that it draws, pixels. */
  readonly resolution: number;
  /** What it computes on, in the order of trial. */
  readonly providers: readonly Provider[];
  /** Factor of a task's price, a whole number from 1. */
  readonly priceFactor: number;
}

/** Engines that an account may choose now: the answer of `GET /api/ai-tasks/engines`. */
export interface EngineList {
  /** Engine of a request that names none. */
  readonly default: string;
  readonly engines: readonly EngineDescription[];
}

/** Rules of the operator for one network. */
export interface EngineRules {
  /** Factor of a task's price, a whole number from 1. */
  readonly priceFactor: number;
  /** Plans that may choose it. */
  readonly plans: readonly Plan[];
}

/**
 * The built-in engine. It draws faces where a request names no engine, unless the operator says
 * otherwise.
 */
export const MESH_ENGINE: EngineDescription = {
  id: 'mesh',
  kind: 'mesh',
  resolution: 1024,
  providers: ['cpu'],
  priceFactor: 1,
};

/** Form of an engine's name. */
export const ENGINE_ID = /^[a-z0-9][a-z0-9._-]{0,39}$/;
