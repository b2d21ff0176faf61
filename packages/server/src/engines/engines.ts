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

/** A network of the operator that helps to draw. */
interface Helper {
  readonly kind: 'restorer' | 'masker';
  readonly id: string;
}

/** Form field that names an engine, in both interfaces. */
const FIELD = 'engine';

/** Shortest time between two warnings that the same network of the operator is missing. */
const WARNING_INTERVAL_MS = 60_000;

export interface EnginesOptions {
  readonly db: Database;
  readonly config: Pick<Config, 'defaultEngine' | 'restorer' | 'maskers' | 'rulesOf'>;
  readonly log: Pick<Logger, 'warn'>;
}

/** The engines of an installation: the mesh, and the networks that its workers hold. */
export class Engines {
  readonly #options: EnginesOptions;
  /** Times of the last warnings, by network. */
  readonly #warnedAtMs = new Map<string, number>();

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
    const helpers = this.#helpersFor(order.work);
    // Installations without networks ask nothing of the database.
    if (id === MESH_ENGINE.id && helpers.length === 0) return drawnWith(order, undefined, 1);
    const workers = await this.#readWorkers();
    const networks = this.#choosable(workers, plan);
    const wanted = engine ?? this.#defaultOf(networks);
    if (wanted !== id && !swappersOf(workers).some((network) => network.id === id)) this.#warn(id);
    const swapper = networks.find((network) => network.id === wanted);
    if (wanted !== MESH_ENGINE.id && swapper === undefined) throw this.#refusal(wanted, workers, networks);
    const needed = this.#needed(workers, swapper, helpers);
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

  /** Lists the operator's networks that help to draw some work, beside what draws its faces. */
  #helpersFor(work: WorkSpec): readonly Helper[] {
    const { restorer, maskers } = this.#options.config;
    return [
      ...(restorer !== null && takesRestorer(work) ? [{ kind: 'restorer', id: restorer } as const] : []),
      ...maskers.map((id) => ({ kind: 'masker', id }) as const),
    ];
  }

  /** Lists what a task needs: the swapper, and those helpers that a worker holds beside it. */
  #needed(
    workers: readonly (readonly HeldNetwork[])[],
    swapper: HeldNetwork | undefined,
    helpers: readonly Helper[],
  ): NeededNetworks | undefined {
    const chosen: HeldNetwork[] = swapper === undefined ? [] : [swapper];
    for (const { kind, id } of helpers) {
      const suitable = workers.filter((networks) =>
        chosen.every(({ key }) => networks.some((network) => network.key === key)),
      );
      const helper = mostHeld(suitable, kind).find((network) => network.id === id);
      if (helper === undefined) this.#warn(id);
      else chosen.push(helper);
    }
    if (chosen.length === 0) return undefined;
    const keysOfKind = (wanted: HeldNetwork['kind']): string[] =>
      chosen.filter(({ kind }) => kind === wanted).map(({ key }) => key);
    const [restorer] = keysOfKind('restorer');
    const maskers = keysOfKind('masker');
    return {
      ...(swapper === undefined ? {} : { swapper: swapper.key }),
      ...(restorer === undefined ? {} : { restorer }),
      ...(maskers.length === 0 ? {} : { maskers }),
    };
  }

  #warn(network: string): void {
    const nowMs = performance.now();
    if (nowMs - (this.#warnedAtMs.get(network) ?? Number.NEGATIVE_INFINITY) < WARNING_INTERVAL_MS) return;
    this.#warnedAtMs.set(network, nowMs);
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

/** Returns whether some work wants its faces improved. */
function takesRestorer(work: WorkSpec): boolean {
  return 'restore' in work && work.restore.faceRestoreVisibility > 0;
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
