import {
  type EngineDescription,
  type EngineList,
  type EngineRules,
  MESH_ENGINE,
} from '@guise/contract/engines.ts';
import { AppError, invalidField } from '@guise/contract/errors.ts';
import type { Plan } from '@guise/contract/plans.ts';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { IS_THERE } from '../tasks/present-workers.ts';
import type { NeededNetworks } from '../networks/network-key.ts';
import type { WorkSpec } from '../tasks/task.ts';
import type { HeldNetwork } from '../networks/held-networks.ts';

/** Work to do and its price. */
interface Priced {
  readonly work: WorkSpec;
  readonly costCredits: number;
}

/** Form field that names an engine, in both interfaces. */
const FIELD = 'engine';

/** Shortest time between two warnings that a network of the operator is missing. */
const WARNING_INTERVAL_MS = 60_000;

export interface EnginesOptions {
  readonly db: Database;
  readonly config: Pick<Config, 'defaultEngine' | 'restorer' | 'rulesOf'>;
  readonly log: Pick<Logger, 'warn'>;
}

/** The engines of an installation: the mesh, and the networks that its workers hold. */
export class Engines {
  readonly #options: EnginesOptions;
  #warnedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: EnginesOptions) {
    this.#options = options;
  }

  /** Lists the engines that accounts of a plan may choose now. */
  async list(plan: Plan): Promise<EngineList> {
    const workers = await this.#readWorkers();
    const networks = this.#choosable(workers, plan);
    return {
      default: this.#defaultOf(networks),
      engines: [MESH_ENGINE, ...networks.map((network) => this.#describe(network))],
    };
  }

  /**
   * Decides what draws the faces of some work, and multiplies its price accordingly.
   * @param engine that the request names
   * @throws AppError ENGINE_UNAVAILABLE if no worker holds it; INVALID_REQUEST if the plan may not
   * choose it
   */
  async choose<Order extends Priced>(order: Order, engine: string | undefined, plan: Plan): Promise<Order> {
    const { config } = this.#options;
    const id = engine ?? config.defaultEngine;
    const restorer = takesRestorer(order.work) ? config.restorer : null;
    // Installations without networks ask nothing of the database.
    if (id === MESH_ENGINE.id && restorer === null) return drawnWith(order, undefined, 1);
    const workers = await this.#readWorkers();
    const networks = this.#choosable(workers, plan);
    const wanted = engine ?? this.#defaultOf(networks);
    if (wanted !== id) this.#warn(id);
    const swapper = networks.find((network) => network.id === wanted);
    if (wanted !== MESH_ENGINE.id && swapper === undefined) throw this.#refusal(wanted, workers, networks);
    const needed = this.#withRestorer(workers, swapper?.key, restorer);
    return drawnWith(order, needed, swapper ? this.#rulesOf(swapper).priceFactor : 1);
  }

  /**
   * Reads what each worker holds. While workers of an older version run, nothing counts as held,
   * because they would take tasks for networks and draw with the mesh.
   */
  async #readWorkers(): Promise<readonly (readonly HeldNetwork[])[]> {
    const { rows } = await this.#options.db.pool.query<{ readonly networks: HeldNetwork[] | null }>({
      name: 'read-networks',
      text: `select networks from workers where ${IS_THERE} order by started_at, id`,
    });
    const held = rows.map(({ networks }) => networks);
    return held.every((networks) => networks !== null) ? held : [];
  }

  /** Lists the networks that accounts of a plan may choose. */
  #choosable(workers: readonly (readonly HeldNetwork[])[], plan: Plan): readonly HeldNetwork[] {
    return swappersOf(workers).filter((network) => this.#rulesOf(network).plans.includes(plan));
  }

  #defaultOf(networks: readonly HeldNetwork[]): string {
    const { defaultEngine } = this.#options.config;
    return networks.some(({ id }) => id === defaultEngine) ? defaultEngine : MESH_ENGINE.id;
  }

  #describe(network: HeldNetwork): EngineDescription {
    const { id, resolution, providers } = network;
    return { id, kind: 'network', resolution, providers, priceFactor: this.#rulesOf(network).priceFactor };
  }

  #rulesOf({ id }: HeldNetwork): EngineRules {
    return this.#options.config.rulesOf(id);
  }

  #refusal(
    wanted: string,
    workers: readonly (readonly HeldNetwork[])[],
    networks: readonly HeldNetwork[],
  ): AppError {
    const choices = [MESH_ENGINE.id, ...networks.map(({ id }) => id)].join(' or ');
    if (swappersOf(workers).some(({ id }) => id === wanted))
      return invalidField(FIELD, `must be ${choices}: your plan does not have ${wanted}.`);
    const message = `${FIELD} must be ${choices}: no worker has ${wanted}.`;
    return new AppError('ENGINE_UNAVAILABLE', message, { field: FIELD });
  }

  /** Adds the operator's restorer, if a worker holds it beside the swapper. */
  #withRestorer(
    workers: readonly (readonly HeldNetwork[])[],
    swapper: string | undefined,
    restorer: string | null,
  ): NeededNetworks | undefined {
    const drawn = swapper === undefined ? undefined : { swapper };
    if (restorer === null) return drawn;
    const suitable = workers.filter(
      (networks) => swapper === undefined || networks.some(({ key }) => key === swapper),
    );
    const found = mostHeld(suitable, 'restorer').find(({ id }) => id === restorer);
    if (found) return { ...drawn, restorer: found.key };
    this.#warn(restorer);
    return drawn;
  }

  #warn(network: string): void {
    const nowMs = performance.now();
    if (nowMs - this.#warnedAtMs < WARNING_INTERVAL_MS) return;
    this.#warnedAtMs = nowMs;
    this.#options.log.warn(
      { network },
      'no worker holds a network that the configuration names, so tasks go without it',
    );
  }
}

function drawnWith<Order extends Priced>(
  order: Order,
  networks: NeededNetworks | undefined,
  priceFactor: number,
): Order {
  const work = { ...order.work, networks } as WorkSpec;
  return { ...order, work, costCredits: order.costCredits * priceFactor };
}

/** Returns whether a restorer may improve the faces of some work. It works on photos only. */
function takesRestorer(work: WorkSpec): boolean {
  const isStill = work.kind === 'swap-image' || work.kind === 'swap-batch' || work.kind === 'swap-group';
  return isStill && work.restore.faceRestoreVisibility > 0;
}

function swappersOf(workers: readonly (readonly HeldNetwork[])[]): readonly HeldNetwork[] {
  return mostHeld(workers, 'swapper');
}

/**
 * Lists the networks of a kind by name. If workers hold different files under one name, the files
 * that most of them hold are meant.
 */
function mostHeld(
  workers: readonly (readonly HeldNetwork[])[],
  kind: HeldNetwork['kind'],
): readonly HeldNetwork[] {
  const holders = new Map<string, number>();
  const byKey = new Map<string, HeldNetwork>();
  for (const network of workers.flat().filter((each) => each.kind === kind)) {
    holders.set(network.key, (holders.get(network.key) ?? 0) + 1);
    if (!byKey.has(network.key)) byKey.set(network.key, network);
  }
  const byHolders = [...byKey.values()].toSorted((a, b) => holders.get(b.key)! - holders.get(a.key)!);
  const byId = new Map<string, HeldNetwork>();
  for (const network of byHolders) if (!byId.has(network.id)) byId.set(network.id, network);
  return [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
