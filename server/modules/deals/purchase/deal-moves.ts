import {
  type DealMove,
  type DealMoveName,
  type DealParty,
  findDealMove,
} from '@keyturn/contract/deals/rules.ts'
import { type Progress, progress } from '@keyturn/contract/deals/shapes.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import type { Deps } from '../../../deps.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import type { ChangeContext } from '../../../platform/http/change-context.ts'
import { type DealView, readDealView } from '../deal-view-repository.ts'
import { toDealFacts, toProgress } from '../mappers.ts'

/** Encodes a deal for the `current` field of an error. */
export const encodeProgress = (view: DealView, { config }: Deps, readerId: string | null) =>
  progress.encode(toProgress(view, config, readerId))

/**
 * Returns the first of these moves that is open to a party. Throws `InvalidTransition`, or
 * `DealPaused` when only a suspension is in the way.
 */
export function requireMove(
  view: DealView,
  party: DealParty,
  names: readonly DealMoveName[],
  current: () => unknown,
): DealMove {
  // A sold car has no moves left, regardless of the state of its requests.
  const facts = toDealFacts(view)
  const move = view.car.completedAt ? null : findDealMove(facts, party, ...names)
  if (move) return move
  const isOnlyPaused = facts.isPaused && findDealMove({ ...facts, isPaused: false }, party, ...names)
  throw isOnlyPaused
    ? dealErrors.DealPaused({ current: current() })
    : dealErrors.InvalidTransition({ current: current() })
}

export const readProgressForActor = async (
  tx: Db,
  dealId: string,
  deps: Deps,
  by: ChangeContext,
): Promise<Progress> => toProgress(await readDealView(tx, dealId), deps.config, by.actorId)
